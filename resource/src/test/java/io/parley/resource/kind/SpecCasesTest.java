package io.parley.resource.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.KindId;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.read.Path;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What each typed kind takes and refuses. The cases stand in a table for each kind, {@code <Kind>.yaml}: a spec, and the start of
 * every violation in the order in which they are found.
 */
final class SpecCasesTest {
    private static final List<String> TABLES =
            Stream.concat(typedKinds(), Stream.of("targetRef")).toList();

    @TestFactory
    Stream<DynamicContainer> everyKind() {
        return TABLES.stream()
                .map(table ->
                        DynamicContainer.dynamicContainer(table, cases(table).map(row -> test(table, row))));
    }

    @Test
    void thereIsATableForEveryKindThatTheIssueWantsTyped() {
        assertThat(TABLES)
                .contains(
                        "MeshAccessLog", "MeshCircuitBreaker", "MeshFaultInjection", "MeshHealthCheck", "MeshHTTPRoute")
                .contains(
                        "MeshProxyPatch",
                        "MeshRateLimit",
                        "MeshRetry",
                        "MeshTimeout",
                        "MeshTrace",
                        "MeshTrafficPermission")
                .contains("Mesh", "Dataplane", "Zone", "ZoneIngress", "ZoneEgress", "BackendProtocol", "VersionPolicy");
    }

    private static Stream<String> typedKinds() {
        return Stream.of(PolicyKinds.ALL, MeshKinds.ALL, ParleyKinds.ALL)
                .flatMap(List::stream)
                .map(Kind::name)
                .filter(name -> SpecCasesTest.class.getResource(name + ".yaml") != null);
    }

    private static DynamicTest test(String table, JsonNode row) {
        String kind = row.path("kind").asText(table);
        return DynamicTest.dynamicTest(row.path("case").asText(), () -> {
            List<String> found = violations(kind, row);
            List<String> expected = new ArrayList<>();
            row.path("violations").forEach(start -> expected.add(start.asText()));
            assertThat(found).hasSize(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                assertThat(found.get(i)).startsWith(expected.get(i));
            }
        });
    }

    private static List<String> violations(String kind, JsonNode row) {
        var reader = Kinds.require(new KindId(kind)).reader().orElseThrow();
        return switch (reader.read((ObjectNode) row.get("spec"), Path.ROOT.field("spec"))) {
            case Result.Accepted<?> _ -> List.of();
            case Result.Rejected<?> rejected ->
                rejected.violations().stream().map(Violation::toString).toList();
        };
    }

    private static Stream<JsonNode> cases(String table) {
        try (InputStream in = SpecCasesTest.class.getResourceAsStream(table + ".yaml")) {
            byte[] text = Objects.requireNonNull(in, table).readAllBytes();
            return switch (TextReader.read(text, Syntax.YAML).getFirst()) {
                case TextDocument.Read(int _, JsonNode rows) -> rows.valueStream();
                case TextDocument.Unreadable unreadable -> fail(table + ": " + unreadable);
            };
        } catch (IOException e) {
            throw new IllegalStateException(table, e);
        }
    }
}
