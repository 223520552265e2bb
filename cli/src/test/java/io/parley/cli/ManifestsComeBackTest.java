package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two policies of the KDS redesign document, in both forms, applied as they are and read back as people do. */
class ManifestsComeBackTest {
    private static final Path FILES = Path.of("../resource/src/test/resources/io/parley/resource/manifest");
    private static final List<String> ADDED = List.of("version", "creationTime", "modificationTime");
    private static final List<String> ADDED_TO_METADATA =
            List.of("resourceVersion", "creationTimestamp", "generation", "uid");

    @SuppressWarnings("NullAway.Init")
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start(@TempDir Path data) {
        controlPlane = TestControlPlane.start(data);
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @ParameterizedTest
    @CsvSource({
        "timeout-global, timeout-global",
        "timeout-zone, timeout-zone",
        "timeout-global, timeout-global-universal",
        "timeout-zone, timeout-zone-universal"
    })
    void asTheyWere(String name, String file) throws IOException {
        String text = Files.readString(FILES.resolve(file + ".yaml"));

        controlPlane.apply(text);

        JsonNode given = tree(text, Syntax.YAML);
        assertThat(withoutAdditions(get(name, "yaml", Syntax.YAML))).isEqualTo(given);
        assertThat(withoutAdditions(get(name, "json", Syntax.JSON))).isEqualTo(given);
        assertThat(controlPlane.parley("delete", "meshtimeout", name).exit()).isZero();
    }

    private static JsonNode get(String name, String format, Syntax syntax) {
        return tree(
                controlPlane.parley("get", "meshtimeout", name, "-o", format).out(), syntax);
    }

    private static JsonNode tree(String text, Syntax syntax) {
        List<TextDocument> documents = TextReader.read(text.getBytes(StandardCharsets.UTF_8), syntax);
        assertThat(documents).hasSize(1);
        return documents.getFirst() instanceof TextDocument.Read(int _, JsonNode tree)
                ? tree
                : throwUnreadable(documents.getFirst());
    }

    private static JsonNode throwUnreadable(TextDocument document) {
        throw new AssertionError("unreadable: " + document);
    }

    private static JsonNode withoutAdditions(JsonNode resource) {
        ((ObjectNode) resource).remove(ADDED);
        if (resource.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(ADDED_TO_METADATA);
        }
        return resource;
    }
}
