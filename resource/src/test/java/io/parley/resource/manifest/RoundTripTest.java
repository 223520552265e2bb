package io.parley.resource.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.Scope;
import io.parley.resource.text.Syntax;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is written is read back equal, in both forms, as YAML and as JSON, with and without what a server adds. */
final class RoundTripTest {
    private static final long SEED = Long.getLong("seed", 20261116L);
    private static final ServerFields SERVER = new ServerFields("3", 1L, Instant.EPOCH, Instant.EPOCH);
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "yes",
            "0755",
            "1e3",
            "12:30",
            "null",
            "true",
            "- a",
            "a: b",
            "#x",
            "a #b",
            " a ",
            "a\nb",
            "a\n\n",
            "\n",
            "\ta",
            "'",
            "\"",
            "\\",
            "é",
            "😀",
            "{",
            "[",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "|",
            ">",
            "?",
            "-",
            "=",
            "<<",
            "a\r\nb",
            "\u0085",
            "\u2028",
            "\uFEFF",
            "\u0007",
            "x".repeat(300));

    private final SplittableRandom random = new SplittableRandom(SEED);

    static List<Kind> untypedKinds() {
        return Kinds.all().stream().filter(kind -> kind.reader().isEmpty()).toList();
    }

    @ParameterizedTest
    @MethodSource("untypedKinds")
    void comesBackEqual(Kind kind) {
        for (int round = 0; round < 50; round++) {
            Resource resource = resource(kind);
            String seed = "seed " + SEED + ", round " + round;
            byte[] yaml = ManifestWriter.yaml(resource, SERVER).getBytes(StandardCharsets.UTF_8);
            byte[] json = ManifestWriter.json(resource, SERVER).getBytes(StandardCharsets.UTF_8);
            Manifests expected = new Manifests.Good(List.of(resource));
            assertThat(new ManifestReader(StatusField.KEEP).read(yaml, Syntax.YAML))
                    .as(seed)
                    .isEqualTo(expected);
            assertThat(new ManifestReader(StatusField.KEEP).read(json, Syntax.JSON))
                    .as(seed)
                    .isEqualTo(expected);
        }
    }

    private Resource resource(Kind kind) {
        Form form = kind.isOfMesh() && random.nextBoolean() ? Form.UNIVERSAL : Form.KUBERNETES;
        Map<String, String> labels = new LinkedHashMap<>(Map.of("example.com/a", "b"));
        String name = "n" + random.nextInt(1000);
        if (form == Form.KUBERNETES && kind.isOfMesh() && kind.scope() == Scope.MESH && random.nextBoolean()) {
            labels.put("k8s.kuma.io/namespace", "shop");
            name += ".shop";
        }
        String space = kind.scope() == Scope.GLOBAL ? "" : random.nextBoolean() ? "default" : "other";
        return new Resource(
                new ResourceKey(kind.id(), space, name),
                form,
                labels,
                Map.of("example.com/note", text()),
                Document.of(fields(3)),
                random.nextBoolean() ? Document.of(fields(2)) : null);
    }

    private ObjectNode fields(int depth) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.put("f", 1);
        for (int i = random.nextInt(4); i > 0; i--) {
            fields.set("f" + i + text(), value(depth));
        }
        return fields;
    }

    private JsonNode value(int depth) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (depth == 0 ? random.nextInt(6) : random.nextInt(8)) {
            case 0 -> nodes.numberNode(random.nextInt());
            case 1 -> nodes.numberNode(random.nextLong());
            case 2 -> nodes.numberNode(new BigDecimal(random.nextInt(10000)).movePointLeft(random.nextInt(5) + 1));
            case 3 -> nodes.booleanNode(random.nextBoolean());
            case 4 -> nodes.nullNode();
            case 5 -> nodes.textNode(text());
            case 6 -> {
                ArrayNode items = nodes.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(depth - 1));
                }
                yield items;
            }
            default -> fields(depth - 1);
        };
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }
}
