package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may refer to what in the namespace of the grant. */
public record ReferenceGrantSpec(List<From> from, List<To> to) {
    /** Objects of a kind in a namespace. */
    public record From(String group, String kind, String namespace) {}

    /** Objects of a kind, or the one of this name. */
    public record To(String group, String kind, @Nullable String name) {}

    public static final SpecReader<ReferenceGrantSpec> READER = SpecReader.of(ReferenceGrantSpec::read);

    public ReferenceGrantSpec {
        from = List.copyOf(from);
        to = List.copyOf(to);
    }

    private static ReferenceGrantSpec read(Fields fields) {
        return new ReferenceGrantSpec(
                fields.at("from")
                        .requireObjects(each -> new From(
                                each.at("group").requireText("a group", text -> true),
                                each.at("kind").requireText(),
                                each.at("namespace").requireText())),
                fields.at("to")
                        .requireObjects(each -> new To(
                                each.at("group").requireText("a group, or empty text for the core group", text -> true),
                                each.at("kind").requireText(),
                                each.at("name").text())));
    }

    public boolean permits(From who, ObjectRef what) {
        return from.contains(who)
                && to.stream()
                        .anyMatch(each -> what.is(each.group(), each.kind())
                                && (each.name() == null || each.name().equals(what.name())));
    }
}
