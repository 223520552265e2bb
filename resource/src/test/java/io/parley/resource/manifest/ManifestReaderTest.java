package io.parley.resource.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.Resource;
import io.parley.resource.text.Position;
import io.parley.resource.text.Syntax;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ManifestReaderTest {
    private static final String RETRY_SPEC =
            "{\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},\"default\":{\"tcp\":{\"maxConnectAttempt\":1}}}]}";

    @Test
    void readsManyDocumentsOfBothFormsAndSkipsEmptyOnes() {
        Manifests manifests = yaml("""
            # nothing here
            ---
            type: Mesh
            name: default
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {ports: [{port: 80, appProtocol: kubernetes.io/h2c}]}
            ---
            ...
            """);

        assertThat(keys(manifests)).containsExactly("Mesh/default", "core/Service/shop/web");
    }

    @Test
    void readsJsonValuesOneAfterTheOther() {
        Manifests manifests = json("{\"type\":\"Mesh\",\"name\":\"a\"}\n{\"type\":\"Mesh\",\"name\":\"b\"}");

        assertThat(keys(manifests)).containsExactly("Mesh/a", "Mesh/b");
    }

    @Test
    void takesJsonWithTabsForYaml() {
        assertThat(keys(yaml("{\n\t\"type\": \"Mesh\",\n\t\"name\": \"a\"\n}"))).containsExactly("Mesh/a");
    }

    @Test
    void readsTheFieldsOfOlderKindsBesideTheNameOrUnderSpec() {
        Resource universal = only(yaml("{type: TrafficPermission, name: a, sources: [], destinations: []}"));
        Resource kubernetes = only(yaml("""
            apiVersion: kuma.io/v1alpha1
            kind: TrafficPermission
            mesh: default
            metadata: {name: a}
            spec: {sources: [], destinations: []}
            """));

        assertThat(universal.spec()).isEqualTo(new Document("{\"sources\":[],\"destinations\":[]}"));
        assertThat(kubernetes.spec()).isEqualTo(universal.spec());
        assertThat(kubernetes.key()).isEqualTo(universal.key());
    }

    @Test
    void keepsAllFieldsOfKubernetesKindsWithoutSpec() {
        Resource slice = only(yaml("""
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop}
            addressType: IPv4
            endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}]
            ports: [{name: http, port: 80}]
            """));

        assertThat(slice.spec().json()).startsWith("{\"addressType\":\"IPv4\",\"endpoints\":[");
    }

    @Test
    void theTypeOfASecretDoesNotMakeItUniversal() {
        String text =
                "{apiVersion: v1, kind: Secret, metadata: {name: a}, type: kubernetes.io/tls, data: {tls.key: aGk=}}";

        Resource secret = only(yaml(text));

        assertThat(secret.spec().json()).isEqualTo("{\"type\":\"kubernetes.io/tls\",\"data\":{\"tls.key\":\"aGk=\"}}");
        assertThat(secret).hasToString("core/Secret/default/a (KUBERNETES)");
        assertThat(only(yaml(ManifestWriter.yaml(secret, ServerFields.NONE)))).isEqualTo(secret);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', default",
        "'mesh: shop', '', shop",
        "'', 'labels: {kuma.io/mesh: shop}', shop",
        "'mesh: shop', 'labels: {kuma.io/mesh: shop}', shop"
    })
    void findsTheMeshOfAKubernetesManifest(String field, String label, String mesh) {
        Resource resource = only(yaml("""
            apiVersion: kuma.io/v1alpha1
            kind: MeshRetry
            %s
            metadata:
              name: a
              %s
            spec: %s
            """.formatted(field, label, RETRY_SPEC)));

        assertThat(resource.key().space()).isEqualTo(mesh);
    }

    @Test
    void refusesTwoMeshesForOneResource() {
        assertThat(violations(yaml("""
            apiVersion: kuma.io/v1alpha1
            kind: MeshRetry
            mesh: a
            metadata: {name: a, labels: {kuma.io/mesh: b}}
            spec: %s
            """.formatted(RETRY_SPEC))))
                .containsExactly("mesh: a (expected: b, as the label kuma.io/mesh says)");
    }

    @ParameterizedTest
    @CsvSource({"'', a", "'namespace: kuma-system', a", "'namespace: shop', a.shop"})
    void namesResourcesOfANamespaceAfterIt(String namespace, String name) {
        Resource resource = only(yaml("""
            apiVersion: kuma.io/v1alpha1
            kind: MeshRetry
            metadata:
              name: a
              %s
            spec: %s
            """.formatted(namespace, RETRY_SPEC)));

        assertThat(resource.key().name()).isEqualTo(name);
        assertThat(resource.labels()).hasSize(namespace.isEmpty() ? 0 : 1);
    }

    @Test
    void readsOverWhatServersAddAndWhatPeopleCannotSay() {
        Resource universal = only(yaml("""
            type: MeshRetry
            name: a
            version: "7"
            creationTime: 2026-01-01T00:00:00Z
            modificationTime: 2026-01-01T00:00:00Z
            kri: kri_mr_default_a_
            spec: %s
            status: {seen: true}
            """.formatted(RETRY_SPEC)));
        Resource kubernetes = only(yaml("""
            apiVersion: kuma.io/v1alpha1
            kind: MeshRetry
            metadata:
              name: a
              uid: 1-2-3
              generation: 4
              resourceVersion: "7"
              creationTimestamp: 2026-01-01T00:00:00Z
              managedFields: [{manager: kubectl}]
              annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
            spec: %s
            status: {seen: true}
            """.formatted(RETRY_SPEC)));

        assertThat(universal.status()).isNull();
        assertThat(kubernetes.status()).isNull();
        assertThat(kubernetes.annotations())
                .isEqualTo(Map.of("kubectl.kubernetes.io/last-applied-configuration", "{}"));
    }

    @Test
    void keepsTheStatusForThoseWhoAskForIt() {
        byte[] text = "{type: Zone, name: a, status: {seen: true}}".getBytes(StandardCharsets.UTF_8);

        Resource zone = only(new ManifestReader(StatusField.KEEP).read(text, Syntax.YAML));

        assertThat(zone.status()).isEqualTo(new Document("{\"seen\":true}"));
    }

    @Test
    void takesListsApart() {
        Manifests manifests = yaml("""
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Service, metadata: {name: a}}
            - {apiVersion: v1, kind: Service, metadata: {name: B}}
            - {type: Mesh, name: c}
            """);

        assertThat(keys(manifests)).containsExactly("core/Service/default/a", "Mesh/c");
        assertThat(problems(manifests).getFirst().violation().path()).isEqualTo("items[1].metadata.name");
    }

    @Test
    void remembersAVersionThatIsNotTheUsualOne() {
        Resource route =
                only(yaml("{apiVersion: gateway.networking.k8s.io/v1beta1, kind: HTTPRoute, metadata: {name: a}}"));

        assertThat(ManifestWriter.tree(route, ServerFields.NONE)
                        .path("apiVersion")
                        .asText())
                .isEqualTo("gateway.networking.k8s.io/v1beta1");
        assertThat(ManifestWriter.tree(route, ServerFields.NONE)
                        .path("metadata")
                        .has("annotations"))
                .isFalse();
    }

    @Test
    void aliasesAreWrittenOut() {
        Resource mesh = only(yaml("""
            type: Mesh
            name: a
            constraints:
              dataplaneProxy:
                requirements: [&east {tags: {kuma.io/zone: east}}]
                restrictions: [*east]
            """));

        assertThat(mesh.form()).isEqualTo(Form.UNIVERSAL);
        assertThat(mesh.spec().json().split("east", -1)).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Mesh}|name: missing (expected: a name of at most 63",
                "{type: Mesh, name: A}|name: A (expected: a name of at most 63 lower case letters",
                "{type: Zone, name: 1a}|name: 1a (expected: a name of at most 63 lower case letters, digits and '-', a"
                        + " letter first",
                "{type: Zone, name: a, mesh: b}|mesh: not allowed here (a Zone belongs to no mesh)",
                "{type: Config, mesh: x, name: b}|mesh: not allowed here",
                "{type: Secret, mesh: X, name: b}|mesh: X (expected: a name",
                "{type: Mesh, name: a, labels: {x: 1}}|labels.x: 1 (expected: text; put numbers",
                "{type: Mesh, name: a, labels: {x: a b}}|labels.x: a b (expected: at most 63 letters",
                "{type: Mesh, name: a, labels: {-x: a}}|labels: the key -x (expected: a name of at most 63",
                "{type: Mesh, name: a, labels: {A/x: a}}|labels: the key A/x",
                "{type: Mesh, name: a, labels: [x]}|labels: a list (expected: an object)",
                "{type: Mesh, name: 5}|name: 5 (expected: a name",
                "{type: Mesh, name: a, mtls: yes}|mtls: yes (expected: an object)",
                "{type: MeshTimout, name: a}|type: MeshTimout (expected: MeshTimeout)",
                "{type: Service, name: a}|type: Service (expected: apiVersion: v1 and kind: Service)",
                "{type: Nonsense, name: a}|type: Nonsense (expected: a kind that 'parley get kinds' lists,"
                        + " such as MeshTimeout",
                "{type: 7}|type: 7 (expected: text that is not empty)",
                "{kind: Mesh, metadata: {name: a}}|apiVersion: missing",
                "{apiVersion: v1, kind: Mesh, metadata: {name: a}}|kind: v1 Mesh (expected: Mesh, or apiVersion"
                        + " kuma.io/v1alpha1",
                "{apiVersion: v1, kind: Service}|metadata: missing (expected: an object)",
                "{apiVersion: v1, kind: Service, metadata: {name: a, nmespace: b}}|metadata.nmespace: unknown field"
                        + " (expected: namespace)",
                "{apiVersion: v1, kind: Service, metadata: {name: a}, specs: {}}|specs: unknown field (expected: spec)",
                "{apiVersion: kuma.io/v1alpha1, kind: Mesh, metadata: {name: a, namespace: b}}|metadata.namespace: b"
                        + " (expected: none",
                "{type: MeshRetry, name: a, specs: {}}|specs: unknown field (expected: spec)",
                "{name: a}|not a resource (expected: type and name, or apiVersion, kind and metadata)",
                "[1]|not an object",
                "text|not an object"
            })
    void saysWhatIsWrongAndWhereAndWhatWasExpected(String text, String violation) {
        assertThat(violations(yaml(text))).anySatisfy(found -> assertThat(found).startsWith(violation));
    }

    @Test
    void aNameThatIsMissingIsNotCalledLongAsWell() {
        assertThat(violations(yaml("{apiVersion: kuma.io/v1alpha1, kind: MeshRetry, metadata: {namespace: b}, spec:"
                        + " {targetRef: {kind: Mesh}, to: []}}")))
                .anySatisfy(found -> assertThat(found).startsWith("metadata.name: missing"))
                .noneSatisfy(found -> assertThat(found).contains("characters of name"));
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 300, 5000})
    void refusesLongNames(int length) {
        assertThat(violations(yaml("{type: Secret, name: " + "a".repeat(length) + "}")))
                .singleElement()
                .asString()
                .startsWith("name: aaa")
                .contains("at most 253");
    }

    @Test
    void aNameAndItsNamespaceTogetherAreANameToo() {
        String text = "{apiVersion: kuma.io/v1alpha1, kind: MeshRetry, metadata: {name: %s, namespace: shop}, spec: %s}"
                .formatted("a".repeat(250), RETRY_SPEC);
        assertThat(violations(yaml(text))).singleElement().asString().contains("255 characters of name and namespace");
    }

    @Test
    void badResourcesDoNotTakeGoodOnesDown() {
        Manifests manifests = yaml("""
            {type: Mesh, name: a}
            ---
            {type: Mesh, name: B}
            ---
            {type: Mesh, name: c}
            """);

        assertThat(keys(manifests)).containsExactly("Mesh/a", "Mesh/c");
        assertThat(problems(manifests)).singleElement().satisfies(problem -> {
            assertThat(problem.document()).isEqualTo(1);
            assertThat(problem.subject()).isEqualTo("Mesh B");
        });
    }

    @Test
    void refusesTheSameResourceTwice() {
        assertThat(violations(yaml("{type: Mesh, name: a}\n---\n{type: Mesh, name: a}")))
                .containsExactly("Mesh/a again (expected: once; it is in document 1 too)");
    }

    @Test
    void saysOnWhichLineSomethingIsWrong() {
        Manifests manifests = yaml("""
            type: MeshRetry
            name: a
            spec:
              to:
              - targetRef:
                  kind: Mesh
                default:
                  tcp:
                    maxConnectAttempt: 0
              - default: {tcp: {maxConnectAttempt: 1}}
            """);

        assertThat(problems(manifests))
                .extracting(Problem::at)
                .containsExactly(new Position(9, 9), new Position(10, 5));
        assertThat(problems(manifests).getFirst())
                .hasToString("line 9, column 9 (MeshRetry a): spec.to[0].default.tcp.maxConnectAttempt: 0"
                        + " (expected: a whole number of at least 1)");
    }

    @Test
    void linesAreFoundInJsonToo() {
        assertThat(problems(json("{\n \"type\": \"Mesh\",\n \"name\": \"A\"\n}")))
                .extracting(Problem::at)
                .containsExactly(new Position(3, 2));
    }

    private static Manifests yaml(String text) {
        return new ManifestReader(StatusField.DROP).read(text.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
    }

    private static Manifests json(String text) {
        return new ManifestReader(StatusField.DROP).read(text.getBytes(StandardCharsets.UTF_8), Syntax.JSON);
    }

    private static Resource only(Manifests manifests) {
        assertThat(manifests).isInstanceOf(Manifests.Good.class);
        assertThat(manifests.resources()).hasSize(1);
        return manifests.resources().getFirst();
    }

    private static List<String> keys(Manifests manifests) {
        return manifests.resources().stream()
                .map(resource -> resource.key().toString())
                .toList();
    }

    private static List<Problem> problems(Manifests manifests) {
        assertThat(manifests).isInstanceOf(Manifests.Faulty.class);
        return ((Manifests.Faulty) manifests).problems();
    }

    private static List<String> violations(Manifests manifests) {
        return problems(manifests).stream()
                .map(problem -> problem.violation().toString())
                .toList();
    }
}
