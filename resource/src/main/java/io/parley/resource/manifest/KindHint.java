package io.parley.resource.manifest;

import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.read.Spelling;
import java.util.Optional;

/** What to write instead of a kind that does not exist. */
final class KindHint {
    private KindHint() {}

    static String of(String word) {
        Optional<Kind> kind = Kinds.findByWord(word);
        if (kind.isPresent()) {
            return kind.get().isOfMesh()
                    ? kind.get().name() + ", or apiVersion " + kind.get().apiVersion() + " with this kind"
                    : "apiVersion: " + kind.get().apiVersion() + " and kind: "
                            + kind.get().name();
        }
        return Spelling.closest(word, Kinds.all().stream().map(Kind::name).toList())
                .orElse("a kind that 'parley get kinds' lists, such as MeshTimeout");
    }
}
