package io.parley.control.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.control.api.ApiFixture;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.client.ClientService;
import io.parley.link.client.ClientService.Need;
import io.parley.link.config.ConfigClientV2;
import io.parley.link.config.ConfigSink;
import io.parley.link.identity.IdentityClient;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetryClient;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Data planes against a whole control plane, over TLS on its one port. */
@Execution(ExecutionMode.CONCURRENT)
@SuppressWarnings("NullAway.Init")
class MachinesTest {
    private static final String WEB = "{\"type\":\"Dataplane\",\"mesh\":\"default\",\"name\":\"web-1\","
            + "\"networking\":{\"address\":\"127.0.0.1\",\"inbound\":[{\"port\":8080,"
            + "\"tags\":{\"kuma.io/service\":\"web\",\"ring\":\"canary\"}}]}}";

    @TempDir
    private Path folder;

    private final TestIdentity identity = new TestIdentity();
    private ApiFixture controlPlane;

    @BeforeEach
    void start() throws Exception {
        controlPlane = new ApiFixture(folder);
        assertThat(controlPlane.put("/meshes/default/dataplanes/web-1", WEB).status())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        controlPlane.close();
    }

    @Test
    void aDataPlaneNegotiatesAndItsInsightTellsWhatWasAgreed() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !node.agreed.isEmpty());
            assertThat(node.agreed.getFirst().accepted())
                    .containsEntry("config", "v2")
                    .containsEntry("identity", "v1")
                    .containsEntry("telemetry", "v1");

            JsonNode insight = insight("web-1", tree -> tree.path("report").has("startedAt"));

            assertThat(insight.path("negotiation").path("node").path("type").asText())
                    .isEqualTo("PARLEY");
            assertThat(insight.path("negotiation").path("labels").path("ring").asText())
                    .isEqualTo("canary");
            assertThat(insight.path("negotiation").path("accepted")).hasSize(3);
            assertThat(insight.path("subscriptions").get(0).has("disconnectTime"))
                    .isFalse();
        }
        insight("web-1", tree -> tree.path("subscriptions").get(0).has("disconnectTime"));
    }

    @Test
    void aDataPlaneGetsTheOneNameThatItsResourceGivesIt() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());

            assertThat(node.disconnected).isEmpty();
            assertThat(SpiffeId.allIn(identity.certificates.getFirst())).hasToString("[spiffe://default/web]");
            assertThat(identity.trusted).hasSize(1);
            identity.certificates.getFirst().verify(identity.trusted.getFirst().getPublicKey());
        }
    }

    @Test
    void aDataPlaneThatCameBeforeTheAuthorityGetsACertificateOfIt() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());
            X509Certificate before = identity.trusted.getFirst();

            controlPlane.put(
                    "/meshes/default",
                    "{\"type\":\"Mesh\",\"name\":\"default\",\"mtls\":{\"enabledBackend\":\"ca-1\","
                            + "\"backends\":[{\"name\":\"ca-1\",\"type\":\"builtin\"}]}}");

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> identity.trusted.size() == 1
                            && !identity.trusted.getFirst().equals(before));
            // Who is believed is told before who is certified.
            await().atMost(Duration.ofSeconds(30)).until(() -> identity.certificates.size() == 2);
            identity.certificates.getLast().verify(identity.trusted.getFirst().getPublicKey());
            assertThat(node.disconnected).isEmpty();
        }
    }

    @Test
    void aDataPlaneThatStandsForAnotherServiceTooGetsACertificateForBoth() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());
            String both = WEB.replace(
                    "\"inbound\":[", "\"inbound\":[{\"port\":8081,\"tags\":{\"kuma.io/service\":\"admin\"}},");

            controlPlane.put("/meshes/default/dataplanes/web-1", both);

            await().atMost(Duration.ofSeconds(30)).until(() -> identity.certificates.size() == 2);
            assertThat(SpiffeId.allIn(identity.certificates.getLast()))
                    .hasToString("[spiffe://default/admin, spiffe://default/web]");
            assertThat(node.disconnected).isEmpty();
        }
    }

    @Test
    void aLinkEndsWhenItsTokenIsRevoked() throws Exception {
        String token = controlPlane.dataplaneToken("web-1");
        try (TestNode node = node("web-1", token)) {
            await().until(() -> !node.agreed.isEmpty());

            controlPlane.post("/tokens/revocations", "{\"id\":\"" + token + "\"}");

            await().until(() -> node.disconnected.size() > 1);
            assertThat(node.disconnected.getFirst()).contains("the token was withdrawn");
            assertThat(node.disconnected.get(1)).contains("401");
        }
    }

    /** Those that have a token of the new key stay. */
    @Test
    void linksEndWhenTheKeyThatSignedTheirTokenIsRetired() throws Exception {
        try (TestNode old = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !old.agreed.isEmpty());
            controlPlane.post("/tokens/keys", "{}");
            try (TestNode renewed = node("web-1", controlPlane.dataplaneToken("web-1"))) {
                await().until(() -> !renewed.agreed.isEmpty());
                assertThat(old.disconnected).isEmpty();

                assertThat(controlPlane
                                .delete("/tokens/keys/token-signing-key-1")
                                .status())
                        .isEqualTo(200);

                await().until(() -> old.disconnected.size() > 1);
                assertThat(old.disconnected.get(1)).contains("401");
                assertThat(renewed.disconnected).isEmpty();
            }
        }
    }

    @Test
    void aCertificateOfTheMeshIsAsGoodAsAToken() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());
            assertThat(node.agreed).hasSize(1);
        }
        try (TestNode node = node("web-1", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.agreed.isEmpty());
        }
        try (TestNode node = node("web-2", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403");
        }
    }

    @Test
    void aCertificateOfOneServiceIsNotGoodForADataPlaneOfOthersToo() throws Exception {
        try (TestNode _ = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());
        }
        controlPlane.put("/meshes/default/dataplanes/both", both());
        try (TestNode node = node("both", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403");
        }
    }

    @Test
    void aServiceThatNoCertificateCanNameCountsToo() throws Exception {
        try (TestNode _ = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !identity.certificates.isEmpty());
        }
        assertThat(controlPlane
                        .put("/meshes/default/dataplanes/both", both().replace("\"db\"", "\"db:5432\""))
                        .status())
                .isEqualTo(201);
        try (TestNode node = node("both", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.disconnected.isEmpty() || !node.agreed.isEmpty());
            assertThat(node.agreed).isEmpty();
            assertThat(node.disconnected.getFirst()).contains("403");
        }
    }

    @Test
    void aTokenOfAnotherDataPlaneIsRefused() throws Exception {
        try (TestNode node = node("web-2", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403").contains("web-1");
        }
        try (TestNode node = node("web-1", "no-token")) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("401");
        }
    }

    @Test
    void theTokenOfAServiceIsGoodForItsDataPlanesAndNoOthers() throws Exception {
        assertThat(controlPlane
                        .put("/meshes/default/dataplanes/pod-x7", WEB.replace("web-1", "pod-x7"))
                        .status())
                .isEqualTo(201);
        assertThat(controlPlane.put("/meshes/default/dataplanes/both", both()).status())
                .isEqualTo(201);
        String token = serviceToken();

        for (String name : List.of("web-1", "pod-x7")) {
            try (TestNode node = node(name, token)) {
                await().until(() -> !identity.certificates.isEmpty());
                assertThat(SpiffeId.allIn(identity.certificates.getFirst())).hasToString("[spiffe://default/web]");
                assertThat(node.disconnected).isEmpty();
                identity.certificates.clear();
            }
        }
        try (TestNode node = node("both", token)) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403").contains("db, web");
        }
        try (TestNode node = node("pod-y8", token)) {
            await().until(() -> !node.disconnected.isEmpty());
            assertThat(node.disconnected.getFirst()).contains("403").contains("there is no Dataplane pod-y8");
        }
    }

    /** A Dataplane of web and db. */
    private static String both() {
        return WEB.replace("web-1", "both")
                .replace("\"inbound\":[", "\"inbound\":[{\"port\":9,\"tags\":{\"kuma.io/service\":\"db\"}},");
    }

    @Test
    void aDataPlaneThatBecameAnothersGetsNoCertificateByTheTokenOfItsService() throws Exception {
        String token = serviceToken();
        try (TestNode node = node("web-1", token)) {
            await().until(() -> !identity.certificates.isEmpty());
            identity.certificates.clear();
            controlPlane.put("/meshes/default/dataplanes/web-1", WEB.replace("\"web\"", "\"db\""));
            controlPlane.put(
                    "/meshes/default",
                    "{\"type\":\"Mesh\",\"name\":\"default\",\"mtls\":{\"enabledBackend\":\"ca-1\","
                            + "\"backends\":[{\"name\":\"ca-1\",\"type\":\"builtin\"}]}}");
            await().atMost(Duration.ofSeconds(30)).until(() -> !node.disconnected.isEmpty());
            assertThat(identity.certificates).isEmpty();
        }
    }

    /** Nor by the certificate that it got for the token. */
    @Test
    void aDataPlaneThatBecameAnothersTooGetsNoCertificateByTheOneOfItsService() throws Exception {
        try (TestNode _ = node("web-1", serviceToken())) {
            await().until(() -> !identity.certificates.isEmpty());
        }
        try (TestNode node = node("web-1", new TestNode.Credential.Certificate(identity))) {
            await().until(() -> !node.agreed.isEmpty());
            controlPlane.put("/meshes/default/dataplanes/web-1", both().replace("both", "web-1"));

            await().atMost(Duration.ofSeconds(30)).until(() -> node.disconnected.size() > 1);
            assertThat(identity.certificates)
                    .allSatisfy(each -> assertThat(SpiffeId.allIn(each)).hasToString("[spiffe://default/web]"));
            assertThat(node.disconnected.getFirst()).contains("its Dataplane changed (expected: only of web)");
            assertThat(node.disconnected.get(1)).contains("403");
        }
    }

    @Test
    void aDataPlaneThatIsGoneIsToldSo() throws Exception {
        try (TestNode node = node("web-1", serviceToken())) {
            await().until(() -> !node.agreed.isEmpty());
            controlPlane.delete("/meshes/default/dataplanes/web-1");

            await().atMost(Duration.ofSeconds(30)).until(() -> node.disconnected.size() > 1);
            assertThat(node.disconnected.getFirst()).contains("its Dataplane is gone");
            assertThat(node.disconnected.get(1)).contains("403");
        }
    }

    /** Good for any data plane of web. */
    private String serviceToken() throws Exception {
        return controlPlane
                .post("/tokens/dataplane", "{\"mesh\":\"default\",\"service\":\"web\"}")
                .body()
                .path("token")
                .asText();
    }

    @Test
    void aTokenIsForANameThatADataPlaneCanHave() throws Exception {
        assertThat(controlPlane
                        .post("/tokens/dataplane", "{\"mesh\":\"default\",\"name\":\"*\"}")
                        .status())
                .isEqualTo(400);
        assertThat(controlPlane
                        .post("/tokens/dataplane", "{\"mesh\":\"default\",\"name\":\"a\",\"service\":\"b\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void switchingAVersionOffMovesTheNodesThatUseIt() throws Exception {
        try (TestNode node = node("web-1", controlPlane.dataplaneToken("web-1"))) {
            await().until(() -> node.agreed.size() == 1);
            insight("web-1", tree -> tree.has("negotiation"));
            String policy = "{\"type\":\"VersionPolicy\",\"name\":\"no-v1-telemetry\",\"spec\":{\"services\":[{"
                    + "\"name\":\"telemetry\",\"off\":[{\"version\":\"v1\",\"message\":\"telemetry rests\"}]}]}}";

            ApiFixture.Answer preview = controlPlane.post("/versions/preview", policy);
            assertThat(preview.body().path("items").get(0).path("effect").asText())
                    .as(preview.body().toString())
                    .isEqualTo("rejected");

            assertThat(controlPlane
                            .put("/versionpolicies/no-v1-telemetry", policy)
                            .status())
                    .isEqualTo(201);
            await().atMost(Duration.ofSeconds(30)).until(() -> node.agreed.size() == 2);
            assertThat(node.agreed.getLast().rejected()).containsKey("telemetry");
        }
    }

    private TestNode node(String name, String token) throws Exception {
        return node(name, new TestNode.Credential.Token(token));
    }

    private TestNode node(String name, TestNode.Credential credential) throws Exception {
        List<ClientService> services = List.of(
                ConfigClientV2.service(new NoConfig(), Need.OPTIONAL),
                IdentityClient.service(
                        identity,
                        CompletableFuture.completedStage(null),
                        Need.OPTIONAL,
                        Clock.systemUTC(),
                        new SplittableRandom(1)),
                TelemetryClient.service(MachinesTest::report, Duration.ofSeconds(1), Need.OPTIONAL));
        return new TestNode(controlPlane.machinePort(), folder.resolve("ca.pem"), name, credential, services).start();
    }

    private static NodeReport report() {
        return new NodeReport(Instant.EPOCH, Map.of(), Map.of(), "", List.of(), Map.of());
    }

    private JsonNode insight(String name, Predicate<JsonNode> complete) throws Exception {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> controlPlane
                                .get("/meshes/default/dataplane-insights/" + name)
                                .body(),
                        body -> body.isObject() && complete.test(body));
    }

    /** Wants nothing. */
    private static final class NoConfig implements ConfigSink {
        @Override
        public Map<String, Map<String, String>> held() {
            return Map.of();
        }

        @Override
        public CompletableFuture<Void> apply(Change change) {
            throw new AssertionError("nothing was subscribed to");
        }
    }
}
