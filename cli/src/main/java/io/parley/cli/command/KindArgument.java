package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.Answer;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.client.Pages;
import io.parley.control.api.ResourcePath;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.Scope;
import io.parley.resource.manifest.QualifiedName;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The kind that a command is about, and the mesh or namespace to look in. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class KindArgument {
    private static final String DEFAULT_MESH = "default";
    private static final KindId MESH = new KindId("Mesh");

    @Parameters(
            index = "0",
            paramLabel = "KIND",
            description = "Such as meshtimeouts, meshtimeout or its short form; 'parley get kinds' lists all.")
    private String word;

    @Option(
            names = {"-m", "--mesh"},
            paramLabel = "MESH",
            description =
                    "The mesh to look in, for kinds that live in one. Default: default for one resource, all for a"
                            + " list.")
    private @Nullable String mesh;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description =
                    "The namespace to look in, or the one that a policy came from. Default: all for a list; for one"
                            + " resource, default if its kind is one of Kubernetes, else none.")
    private @Nullable String namespace;

    String word() {
        return word;
    }

    Kind kind() {
        // 'secrets -n x' are those of Kubernetes, 'secrets -m x' those of a mesh.
        if (namespace != null) {
            var namespaced = Kinds.findByPlural(Scope.NAMESPACE, word.toLowerCase(Locale.ROOT));
            if (namespaced.isPresent()) {
                return namespaced.get();
            }
        }
        return Kinds.findByWord(word)
                .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, "no such kind: " + word + suggestion()));
    }

    /** The mesh or namespace of one resource. */
    String space() {
        return switch (kind().scope()) {
            case GLOBAL -> "";
            case MESH -> mesh == null ? DEFAULT_MESH : mesh;
            case NAMESPACE -> namespace == null ? "default" : namespace;
        };
    }

    /** The mesh or namespace of a list, or null for all. */
    @Nullable
    String listSpace() {
        return switch (kind().scope()) {
            case GLOBAL -> null;
            case MESH -> mesh;
            case NAMESPACE -> namespace;
        };
    }

    /** A list of what is in a mesh that is not there would be empty, and so say nothing of the mistake. */
    void requireMesh(ApiClient client) {
        if (kind().scope() == Scope.MESH && mesh != null) {
            client.get(ResourcePath.of(new ResourceKey(MESH, "", mesh)));
        }
    }

    ResourceKey key(String name) {
        String qualified = namespace == null || kind().scope() != Scope.MESH ? name : QualifiedName.of(name, namespace);
        return new ResourceKey(kind().id(), space(), qualified);
    }

    /** Whether a resource that a list of this kind has is of the namespace asked for. */
    boolean admits(JsonNode resource) {
        return kind().scope() != Scope.MESH
                || namespace == null
                || namespaceOf(resource).equals(namespace);
    }

    /** Calls the API about one resource. If there is none, and a namespace was forgotten, says which. */
    Answer about(ApiClient client, String name, Function<String, Answer> call) {
        try {
            return call.apply(ResourcePath.of(key(name)));
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCode.NOT_FOUND || kind().scope() != Scope.MESH || namespace != null) {
                throw e;
            }
            throw Pages.all(client, ResourcePath.of(kind(), space()), "").stream()
                    .filter(resource -> resource.at("/metadata/name").asText().equals(name))
                    .findFirst()
                    .map(resource -> new CommandFailure(
                            e.exitCode(), e.getMessage() + " There is one with -n " + namespaceOf(resource) + "."))
                    .orElse(e);
        }
    }

    private static String namespaceOf(JsonNode resource) {
        return resource.at("/metadata/namespace").asText();
    }

    private String suggestion() {
        return Kinds.all().stream()
                .map(Kind::plural)
                .min(Comparator.comparingInt(plural -> distance(plural, word.toLowerCase(Locale.ROOT))))
                .map(plural -> " (did you mean " + plural + "? 'parley get kinds' lists all)")
                .orElse("");
    }

    /** How many letters must change to make one word of the other (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
