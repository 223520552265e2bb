package io.parley.resource.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Form;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two policies of the KDS redesign document, unchanged, and the same in universal form. */
final class DesignDocumentManifestsTest {
    @ParameterizedTest
    @CsvSource({
        "timeout-global, KUBERNETES, timeout-global",
        "timeout-zone, KUBERNETES, timeout-zone",
        "timeout-global, UNIVERSAL, timeout-global-universal",
        "timeout-zone, UNIVERSAL, timeout-zone-universal"
    })
    void areTakenUnchangedAndComeBackEqual(String name, Form form, String file) throws IOException {
        byte[] text = fixture(file);

        Manifests manifests = new ManifestReader(StatusField.DROP).read(text, Syntax.YAML);

        assertThat(manifests).isInstanceOf(Manifests.Good.class);
        Resource resource = manifests.resources().getFirst();
        assertThat(resource.key()).isEqualTo(new ResourceKey(new KindId("MeshTimeout"), "default", name));
        assertThat(resource.form()).isEqualTo(form);
        assertThat(TextReader.read(yaml(resource), Syntax.YAML)).isEqualTo(TextReader.read(text, Syntax.YAML));
        assertThat(List.<TextDocument>of(new TextDocument.Read(0, ManifestWriter.tree(resource, ServerFields.NONE))))
                .isEqualTo(TextReader.read(text, Syntax.YAML));
    }

    private static byte[] yaml(Resource resource) {
        return ManifestWriter.yaml(resource, ServerFields.NONE).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] fixture(String name) throws IOException {
        try (InputStream in = DesignDocumentManifestsTest.class.getResourceAsStream(name + ".yaml")) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }
}
