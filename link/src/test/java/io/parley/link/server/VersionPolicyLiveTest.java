package io.parley.link.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.EventExecutor;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.NodeDescription;
import io.parley.agreement.version.NodeSelector;
import io.parley.agreement.version.NodeVersionRange;
import io.parley.agreement.version.PolicyPreview;
import io.parley.agreement.version.PolicySet;
import io.parley.agreement.version.ServiceOffer;
import io.parley.agreement.version.ServiceRule;
import io.parley.agreement.version.VersionPolicy;
import io.parley.link.Services;
import io.parley.link.fixture.EchoService;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RawNode;
import io.parley.link.fixture.TestControlPlane;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.proto.DataPlaneNode;
import io.parley.wire.wrpc.proto.NegotiateServicesRequest;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.ServiceRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VersionPolicyLiveTest {
    private static final Pki PKI = new Pki();
    private static final SSLContext TLS = PKI.tls(PKI.node("web"));

    private final EchoService echo = new EchoService();
    private final List<NegotiationRecord> negotiations = new CopyOnWriteArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private TestControlPlane controlPlane;

    @BeforeEach
    void start() {
        controlPlane = TestControlPlane.start(
                PKI, List.of(echo.binding("config", "v2", ""), echo.binding("config", "v1", "")), new LinkListener() {
                    @Override
                    public void negotiated(NegotiationRecord negotiation) {
                        negotiations.add(negotiation);
                    }

                    @Override
                    public void disconnected(NegotiationRecord negotiation, CloseReason reason) {
                        ends.add(negotiation.nodeId() + " " + reason.code());
                    }
                });
    }

    @AfterEach
    void stop() {
        controlPlane.close();
    }

    @Test
    void switchingOffAVersionInUseClosesThoseWhoUseItAndTellsThemWhy() throws IOException {
        try (var young = node();
                var old = node()) {
            young.negotiate("config", "v1", "v2");
            old.negotiate("config", "v1");

            controlPlane.endpoint().use(every(ServiceRule.switchingOff("v2")));

            RawNode.WsFrame close = young.receiveClose();
            assertThat(close.closeCode()).isEqualTo(CloseReason.POLICY_VIOLATION);
            assertThat(close.closeText()).isEqualTo("config v2 was switched off; negotiate again");
            await().until(() -> ends.contains("dp-1 1008"));
            int seq = old.call(Services.PING_CP, PingCPRequest.getDefaultInstance());
            assertThat(((Frame.Reply) old.receive()).ack()).isEqualTo(seq);
        }
        try (var again = node()) {
            assertThat(again.negotiate("config", "v1", "v2")
                            .getServicesAccepted(0)
                            .getVersion())
                    .isEqualTo("v1");
        }
    }

    @Test
    void aPolicyThatIsTakenBackWithinTheSpreadCutsNobody() throws Exception {
        try (var node = node()) {
            node.negotiate("config", "v2");
            EventExecutor loop = echo.links().getFirst().link().loop();
            var takenBack = new CountDownLatch(1);
            // Keeps what the first policy brings about from running before it is taken back.
            loop.execute(() -> awaitLatch(takenBack));

            controlPlane.endpoint().use(every(ServiceRule.switchingOff("v2")));
            controlPlane.endpoint().use(PolicySet.EMPTY);
            takenBack.countDown();

            // The spread is over when this has run.
            loop.schedule(() -> {}, TestControlPlane.SPREAD.toMillis() + 1, TimeUnit.MILLISECONDS)
                    .get();
            int seq = node.call(Services.PING_CP, PingCPRequest.getDefaultInstance());
            assertThat(((Frame.Reply) node.receive()).ack()).isEqualTo(seq);
            assertThat(ends).isEmpty();
        }
    }

    @Test
    void anotherPreferenceOrADeprecationDisturbsNobodyWhoIsConnected() throws IOException {
        try (var node = node()) {
            node.negotiate("config", "v1", "v2");

            controlPlane.endpoint().use(every(ServiceRule.preferring("v1")));
            controlPlane.endpoint().use(every(ServiceRule.deprecating("v2", "gone in June")));

            int seq = node.call(Services.PING_CP, PingCPRequest.getDefaultInstance());
            assertThat(((Frame.Reply) node.receive()).ack()).isEqualTo(seq);
        }
        try (var node = node()) {
            assertThat(node.negotiate("config", "v2").getServicesAccepted(0).getMessage())
                    .isEqualTo("gone in June");
            assertThat(negotiations.getLast().deprecations()).hasSize(1);
        }
    }

    @Test
    void policiesChooseByWhoTheNodeIsProvenToBe() throws IOException {
        var ours = new NodeSelector(Set.of("acme"), Set.of("KONG"), Map.of("ring", "canary"), NodeVersionRange.ANY);
        var theirs = new NodeSelector(Set.of("evil"), Set.of(), Map.of(), NodeVersionRange.ANY);
        controlPlane
                .endpoint()
                .use(new PolicySet(List.of(
                        new VersionPolicy("ours", 0, ours, Map.of("config", ServiceRule.preferring("v1"))),
                        new VersionPolicy("theirs", 0, theirs, Map.of("config", ServiceRule.switchingOff("v1"))))));

        try (var node = node()) {
            assertThat(node.negotiate("config", "v1", "v2")
                            .getServicesAccepted(0)
                            .getVersion())
                    .isEqualTo("v1");
        }
    }

    @Test
    void aPreviewTellsWhatWouldHappenAndNothingHappens() throws IOException {
        try (var both = node();
                var onlyNew = node()) {
            both.negotiate("config", "v1", "v2");
            onlyNew.negotiate("config", "v2");

            List<PolicyPreview> preview = PolicyPreview.of(
                    controlPlane.endpoint().catalog(),
                    PolicySet.EMPTY,
                    every(ServiceRule.switchingOff("v2")),
                    controlPlane.endpoint().nodes().stream()
                            .map(NegotiationRecord::connected)
                            .toList());

            assertThat(preview)
                    .extracting(PolicyPreview::effect)
                    .containsExactlyInAnyOrder(PolicyPreview.Effect.DOWNGRADED, PolicyPreview.Effect.REJECTED);
            assertThat(controlPlane.endpoint().nodes()).hasSize(2);
        }
    }

    @Test
    void eachNegotiationIsRecordedWithItsReasons() throws IOException {
        try (var node = node()) {
            node.negotiate(RawNode.request("config", "v1").clearNode().build());
            node.negotiate("config", "v9");
        }
        assertThat(negotiations).hasSize(2);
        assertThat(negotiations.get(0).accepted()).isEmpty();
        assertThat(negotiations.get(1).rejected().getFirst().message()).isEqualTo("only v2 and v1 are available");
        assertThat(negotiations.get(1).principal().tenant()).isEqualTo("acme");
    }

    @Test
    void ofAnInvalidRequestOnlyTheBeginningIsRecorded() throws IOException {
        var request = NegotiateServicesRequest.newBuilder()
                .setNode(DataPlaneNode.newBuilder()
                        .setType("x".repeat(10_000))
                        .setVersion("1")
                        .setHostname("h".repeat(10_000)));
        for (int i = 0; i < 30; i++) {
            request.addServicesRequested(ServiceRequest.newBuilder()
                    .setName("s".repeat(1_000))
                    .addAllVersions(Collections.nCopies(30, "v".repeat(300))));
        }
        try (var node = node()) {
            node.negotiate(request.build());
        }

        NegotiationRequest recorded = negotiations.getFirst().request();
        String versions = "v".repeat(256);
        assertThat(recorded.services())
                .isEqualTo(
                        Collections.nCopies(20, new ServiceOffer("s".repeat(256), Collections.nCopies(20, versions))));
        assertThat(recorded.node()).isEqualTo(new NodeDescription("", "x".repeat(256), "1", "h".repeat(256)));
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PolicySet every(ServiceRule rule) {
        return new PolicySet(List.of(new VersionPolicy("test", 0, NodeSelector.EVERY_NODE, Map.of("config", rule))));
    }

    private RawNode node() throws IOException {
        return RawNode.upgraded(controlPlane.port(), TLS);
    }
}
