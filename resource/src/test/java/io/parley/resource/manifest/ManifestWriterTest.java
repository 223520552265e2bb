package io.parley.resource.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ManifestWriterTest {
    private static final ServerFields SERVER =
            new ServerFields("7", 2L, Instant.parse("2026-01-02T03:04:05Z"), Instant.parse("2026-02-03T04:05:06Z"));

    @Test
    void saysWhoItIsBeforeWhatItSays() {
        Resource mesh = Resource.of(key("Mesh", "", "default"), new Document("{\"mtls\":{\"enabledBackend\":\"ca\"}}"))
                .withLabels(Map.of("team", "core"))
                .withStatus(new Document("{\"seen\":1}"));

        assertThat(ManifestWriter.json(mesh, SERVER))
                .isEqualTo(
                        "{\"type\":\"Mesh\",\"name\":\"default\",\"version\":\"7\","
                            + "\"creationTime\":\"2026-01-02T03:04:05Z\",\"modificationTime\":\"2026-02-03T04:05:06Z\","
                            + "\"labels\":{\"team\":\"core\"},\"mtls\":{\"enabledBackend\":\"ca\"},\"status\":{\"seen\":1}}");
    }

    @Test
    void kubernetesKindsHaveOneFormOnly() {
        Resource service = Resource.of(key("core/Service", "shop", "web"), new Document("{\"ports\":[]}"));

        assertThat(ManifestWriter.json(service, SERVER))
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\","
                            + "\"resourceVersion\":\"7\",\"generation\":2,\"creationTimestamp\":\"2026-01-02T03:04:05Z\"},\"spec\":{\"ports\":[]}}");
    }

    @Test
    void fieldsWithoutSpecStandBesideMetadata() {
        Resource secret = Resource.of(key("core/Secret", "shop", "tls"), new Document("{\"type\":\"Opaque\"}"));

        assertThat(ManifestWriter.json(secret, ServerFields.NONE)).endsWith("},\"type\":\"Opaque\"}");
    }

    @Test
    void nothingToSayIsNotSaid() {
        assertThat(ManifestWriter.json(Resource.of(key("Mesh", "", "a"), Document.EMPTY), ServerFields.NONE))
                .isEqualTo("{\"type\":\"Mesh\",\"name\":\"a\"}");
    }

    @Test
    void writesYamlThatNoReaderTakesForSomethingElse() {
        Resource config = Resource.of(
                key("Config", "", "a"),
                new Document(
                        "{\"config\":[\"yes\",\"on\",\"0755\",\"1e3\",\"0o17\",\"1_000\",\"12:30:00\",\"null\",\"\",\"~\",\""
                            + " a\",\"a: b\",\"two\\n"
                            + "lines\\n"
                            + "\",\"2026-01-01\",\"plain\",1,1.50,true,null,{},[]]}"));

        assertThat(ManifestWriter.yaml(config, ServerFields.NONE)).isEqualTo("""
            type: Config
            name: a
            config:
            - "yes"
            - "on"
            - "0755"
            - "1e3"
            - "0o17"
            - "1_000"
            - "12:30:00"
            - "null"
            - ""
            - "~"
            - ' a'
            - 'a: b'
            - |
              two
              lines
            - "2026-01-01"
            - plain
            - 1
            - 1.50
            - true
            - null
            - {}
            - []
            """);
    }

    @Test
    void manyCanBeWrittenIntoOneDocument() throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.writeStartArray();
            for (String name : new String[] {"a", "b"}) {
                ManifestWriter.write(
                        Resource.of(key("Zone", "", name), new Document("{\"enabled\":true}")),
                        ServerFields.NONE,
                        json);
            }
            json.writeEndArray();
        }
        assertThat(out)
                .hasToString(
                        "[{\"type\":\"Zone\",\"name\":\"a\",\"enabled\":true},{\"type\":\"Zone\",\"name\":\"b\",\"enabled\":true}]");
    }

    private static ResourceKey key(String kind, String space, String name) {
        return new ResourceKey(new KindId(kind), space, name);
    }
}
