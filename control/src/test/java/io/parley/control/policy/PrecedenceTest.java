package io.parley.control.policy;

import static io.parley.control.testing.Worlds.dataplane;
import static io.parley.control.testing.Worlds.mesh;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.agreement.reason.Decision;
import io.parley.control.model.MeshModel;
import io.parley.resource.policy.timeout.MeshTimeout;
import io.parley.resource.policy.timeout.Timeouts;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which policy wins, field by field. Case numbers are those of the fact sheet. */
class PrecedenceTest {
    private static final PolicyKind<Timeouts> TIMEOUT = PolicyKind.traffic("MeshTimeout", MeshTimeout.READER);
    private static final String WEB = dataplane("web-1", "10.0.0.1", "web:http");

    private static String timeout(String name, String origin, String target, String conf) {
        return """
            ---
            type: MeshTimeout
            mesh: default
            name: %s
            labels: {%s}
            spec:
              targetRef: %s
              to: [{targetRef: {kind: Mesh}, default: %s}]
            """.formatted(name, origin, target, conf);
    }

    private static final String GLOBAL = "kuma.io/origin: global";
    private static final String ZONE = "kuma.io/origin: zone, kuma.io/zone: east";

    private static Merged<Timeouts> merged(String yaml) {
        MeshModel mesh = mesh(yaml);
        return Matched.of(TIMEOUT, mesh, mesh.dataplanes().find("web-1").orElseThrow(), new Merges())
                .to(Destination.of(mesh, "backend", Map.of()));
    }

    private static Decision<JsonNode> idle(Merged<Timeouts> merged) {
        return requireNonNull(merged.fields().get("idleTimeout"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: MeshService, name: backend, namespace: shop} | true",
                "{kind: MeshService, name: backend, namespace: shop, sectionName: '8080'} | true",
                "{kind: MeshService, name: backend, namespace: shop, sectionName: '9090'} | false",
                "{kind: MeshService, name: backend, namespace: other} | false",
                "{kind: MeshService, labels: {kuma.io/display-name: backend, k8s.kuma.io/namespace: shop}} | true",
                "{kind: MeshService, labels: {kuma.io/display-name: backend, app: web}} | false",
                "{kind: MeshService, name: backend_shop_svc_8080} | true"
            })
    void aServiceOfKubernetesIsMeantByItsNameAndNamespaceOrItsLabels(String target, boolean meant) {
        MeshModel mesh =
                mesh(WEB + dataplane("backend-1", "10.0.0.2", "backend_shop_svc_8080:http") + """
                    ---
                    type: MeshTimeout
                    mesh: default
                    name: t
                    spec: {to: [{targetRef: %s, default: {idleTimeout: 7s}}]}
                    """.formatted(target));
        assertThat(Matched.of(TIMEOUT, mesh, mesh.dataplanes().find("web-1").orElseThrow(), new Merges())
                        .to(Destination.of(mesh, "backend_shop_svc_8080", Map.of()))
                        .conf()
                        .isPresent())
                .isEqualTo(meant);
    }

    @Test
    void case37_theDesignDocumentsPairGivesTenSecondsInTheZoneAndTwentyElsewhere() {
        String pair = timeout("timeout-global", GLOBAL, "{kind: Mesh}", "{connectionTimeout: 2s, idleTimeout: 20s}")
                + timeout("timeout-zone", ZONE, "{kind: Mesh}", "{connectionTimeout: 2s, idleTimeout: 10s}");
        Merged<Timeouts> here = merged(WEB.replace("kuma.io/protocol", "kuma.io/zone: east, kuma.io/protocol") + pair);
        assertThat(here.conf().orElseThrow().idleTimeout()).isEqualTo(Duration.ofSeconds(10));
        Decision<JsonNode> idle = idle(here);
        assertThat(idle.because())
                .isEqualTo("from zone policy timeout-zone over timeout-global (20s): zone beats global at equal kind");
        assertThat(idle.source().field()).isEqualTo("spec.to[0].default.idleTimeout");
        Merged<Timeouts> elsewhere =
                merged(WEB.replace("kuma.io/protocol", "kuma.io/zone: west, kuma.io/protocol") + pair);
        assertThat(elsewhere.conf().orElseThrow().idleTimeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void case38_kindBeatsOrigin() {
        Merged<Timeouts> merged = merged(WEB
                + timeout("a", GLOBAL, "{kind: MeshService, name: web}", "{idleTimeout: 30s}")
                + timeout("b", ZONE, "{kind: Mesh}", "{idleTimeout: 10s}"));
        assertThat(merged.conf().orElseThrow().idleTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(idle(merged).source().rule()).isEqualTo("the more specific target kind wins");
    }

    @Test
    void case38_theAlphabeticallyFirstNameWinsATie() {
        Merged<Timeouts> merged = merged(WEB
                + timeout("aaa", ZONE, "{kind: Mesh}", "{idleTimeout: 1s}")
                + timeout("bbb", ZONE, "{kind: Mesh}", "{idleTimeout: 2s}"));
        assertThat(merged.conf().orElseThrow().idleTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void case38_fieldsMergeOneByOne() {
        Merged<Timeouts> merged = merged(WEB
                + timeout("g", GLOBAL, "{kind: Mesh}", "{connectionTimeout: 2s, idleTimeout: 20s}")
                + timeout("z", ZONE, "{kind: Mesh}", "{idleTimeout: 10s, http: {requestTimeout: 3s}}"));
        assertThat(merged.conf())
                .contains(new Timeouts(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10),
                        new Timeouts.Http(Duration.ofSeconds(3), null, null, null, null)));
        assertThat(merged.fields().keySet()).containsExactly("connectionTimeout", "http.requestTimeout", "idleTimeout");
    }

    @Test
    void aShadowPolicyActsOnNothingAndIsSeenByThoseWhoAsk() {
        String yaml = WEB + timeout("s", "kuma.io/effect: shadow", "{kind: Mesh}", "{idleTimeout: 1s}");
        assertThat(merged(yaml).conf()).isEmpty();
        MeshModel mesh = mesh(yaml);
        assertThat(Matched.withShadow(
                                TIMEOUT, mesh, mesh.dataplanes().find("web-1").orElseThrow(), new Merges())
                        .to(Destination.of(mesh, "backend", Map.of()))
                        .conf())
                .isPresent();
    }

    @Test
    void picksByEveryKindOfTarget() {
        for (String target : new String[] {
            "{kind: Mesh, proxyTypes: [Sidecar]}",
            "{kind: MeshSubset, tags: {kuma.io/protocol: http}}",
            "{kind: MeshService, name: web}",
            "{kind: MeshServiceSubset, name: web, tags: {kuma.io/protocol: http}}",
            "{kind: Dataplane, name: web-1}",
            "{kind: Dataplane}"
        }) {
            assertThat(merged(WEB + timeout("t", "", target, "{idleTimeout: 1s}"))
                            .conf())
                    .as(target)
                    .isPresent();
        }
        for (String target : new String[] {
            "{kind: Mesh, proxyTypes: [Gateway]}",
            "{kind: MeshSubset, tags: {kuma.io/protocol: grpc}}",
            "{kind: MeshService, name: other}",
            "{kind: MeshServiceSubset, name: web, tags: {version: v2}}",
            "{kind: Dataplane, name: web-2}",
            "{kind: Dataplane, labels: {app: other}}",
            "{kind: MeshGateway, name: edge}"
        }) {
            assertThat(merged(WEB + timeout("t", "", target, "{idleTimeout: 1s}"))
                            .conf())
                    .as(target)
                    .isEmpty();
        }
    }

    @Test
    void whatSomebodyWroteBeatsWhatCameWithTheMeshWhateverTheNames() {
        String came =
                timeout("aaa", "parley.io/initial: 'true'", "{kind: Mesh}", "{idleTimeout: 1h, connectionTimeout: 5s}");
        String written = timeout("zzz", "", "{kind: Mesh}", "{idleTimeout: 20s}");
        Merged<Timeouts> merged = merged(WEB + came + written);
        assertThat(idle(merged).value().asText()).isEqualTo("20s");
        assertThat(idle(merged).because()).contains("zzz", "aaa", "what somebody wrote beats what came with the mesh");
        assertThat(requireNonNull(merged.fields().get("connectionTimeout"))
                        .value()
                        .asText())
                .isEqualTo("5s");
    }
}
