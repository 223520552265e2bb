package io.parley.link.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.link.LinkLimits;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.ScriptedControlPlane;
import io.parley.link.fixture.TestControlPlane;
import io.parley.link.fixture.TestNodes;
import io.parley.link.negotiation.AnswerCheck;
import io.parley.link.server.LinkListener;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.proto.AcceptedService;
import io.parley.wire.wrpc.proto.ControlPlaneNode;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.RejectedService;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Cases 41 and 42: a node does not believe everything, and says what was wrong. */
class ClientCasesTest {
    private static final Pki PKI = new Pki();
    private static final List<ClientService> WANTED = List.of(
            service("config", "v1", Services.CONFIG, ClientService.Need.REQUIRED),
            service("vitals", "v1", 41, ClientService.Need.OPTIONAL));

    @Test
    void case41_aVersionThatWasNotOfferedIsAFailure() throws InterruptedException {
        assertFails(
                answer().addServicesAccepted(accepted("config", "v2")).addServicesRejected(rejected("vitals")),
                "control plane accepted config in version \"v2\" (expected: one of [v1])");
    }

    @Test
    void case41_aServiceAnsweredTwiceIsAFailure() throws InterruptedException {
        assertFails(
                answer().addServicesAccepted(accepted("config", "v1")).addServicesAccepted(accepted("config", "v1")),
                "control plane answered \"config\" twice or unasked");
    }

    @Test
    void case41_aServiceInBothListsIsAFailure() throws InterruptedException {
        assertFails(
                answer().addServicesAccepted(accepted("config", "v1"))
                        .addServicesRejected(rejected("config"))
                        .addServicesRejected(rejected("vitals")),
                "control plane answered \"config\" twice or unasked");
    }

    @Test
    void case41_aServiceInNoListIsAFailure() throws InterruptedException {
        assertFails(
                answer().addServicesAccepted(accepted("config", "v1")),
                "control plane left services unanswered: [vitals]");
    }

    @Test
    void case42_aMessageIsAFailureEvenWithANode() throws InterruptedException {
        assertFails(answer().setMessage("not today"), "control plane refuses the negotiation: not today");
    }

    @Test
    void case42_anEmptyAnswerIsAFailure() throws InterruptedException {
        assertFails(NegotiateServicesResponse.newBuilder(), "control plane's answer is empty");
    }

    @Test
    void case42_anErrorKeepsItsText() throws InterruptedException {
        assertFails(
                call -> Optional.of(new Frame.Failure(call.method(), 1, call.seq(), ErrorCode.UNSPECIFIED, "too old")),
                "negotiation failed: too old");
    }

    @Test
    void case42_noAnswerIsAFailureInTime() throws InterruptedException {
        assertFails(_ -> Optional.empty(), Duration.ofSeconds(2), "negotiation failed: no answer of 5.1 in time");
    }

    @Test
    void aRejectedServiceThatIsNeededIsAFailureWithTheReason() throws InterruptedException {
        assertFails(
                answer().addServicesRejected(rejected("config")).addServicesRejected(rejected("vitals")),
                "control plane does not serve config: no config here");
    }

    @Test
    void aRejectedServiceThatIsNotNeededIsNoFailure() throws InterruptedException {
        var events = new Events();
        var answer = answer().addServicesAccepted(accepted("config", "v1")).addServicesRejected(rejected("vitals"));
        try (var controlPlane = new ScriptedControlPlane(PKI, replying(answer));
                var nodes = new TestNodes(PKI)) {
            nodes.start(controlPlane.port(), "n", WANTED, events);

            assertThat(events.next()).isEqualTo("connected {config=v1}");
        }
    }

    @Test
    void aControlPlaneOfAnotherMeshIsNotTrusted() throws InterruptedException {
        var events = new Events();
        try (var controlPlane = TestControlPlane.start(new Pki(), List.of(), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            nodes.start(controlPlane.port(), "n", WANTED, events);
            // Its certificate is of another mesh: nothing is sent, not even the upgrade.
            assertThat(events.next()).contains("certificate is not believed: PKIX path");
        }
    }

    @Test
    void aNodeWithoutCredentialsIsToldSo() throws InterruptedException {
        var events = new Events();
        try (var controlPlane = TestControlPlane.start(PKI, List.of(), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            var bare = ClientTls.trusting(List.of(PKI.authority().certificate()));
            nodes.start(bare, URI.create("https://localhost:" + controlPlane.port()), "n", WANTED, events);

            assertThat(events.next())
                    .isEqualTo("control plane refuses the upgrade: 401 Unauthorized no client certificate"
                            + " (expected: one of the mesh)");
        }
    }

    @Test
    void aCertificateForAnotherNameIsRefused() throws InterruptedException {
        var events = new Events();
        try (var controlPlane = TestControlPlane.start(PKI, List.of(), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            var bare = ClientTls.trusting(List.of(PKI.authority().certificate()));
            // A name of the loopback that the certificate does not have.
            nodes.start(bare, URI.create("https://127.0.0.2:" + controlPlane.port()), "n", WANTED, events);

            assertThat(events.next()).matches("(?s).*(127\\.0\\.0\\.2|refused).*");
        }
    }

    private static void assertFails(NegotiateServicesResponse.Builder answer, String reason)
            throws InterruptedException {
        assertFails(replying(answer), reason);
    }

    private static void assertFails(Function<Frame.Call, Optional<Frame>> script, String reason)
            throws InterruptedException {
        assertFails(script, LinkLimits.DEFAULT.handshake(), reason);
    }

    private static void assertFails(Function<Frame.Call, Optional<Frame>> script, Duration handshake, String reason)
            throws InterruptedException {
        var events = new Events();
        try (var controlPlane = new ScriptedControlPlane(PKI, script);
                var nodes = new TestNodes(PKI, TestNodes.QUICK, handshake)) {
            nodes.start(controlPlane.port(), "n", WANTED, events);

            assertThat(events.next()).startsWith(reason);
            // And it tries again, from the beginning, with the same result.
            assertThat(events.next()).startsWith(reason);
            assertThat(controlPlane.connections()).isGreaterThanOrEqualTo(2);
            assertThat(events.delays)
                    .allMatch(delay -> delay.compareTo(TestNodes.QUICK.shortest()) >= 0
                            && delay.compareTo(TestNodes.QUICK.longest()) <= 0);
        }
    }

    private static Function<Frame.Call, Optional<Frame>> replying(NegotiateServicesResponse.Builder answer) {
        return call -> Optional.of(
                new Frame.Reply(call.method(), 1, call.seq(), answer.build().toByteString()));
    }

    private static NegotiateServicesResponse.Builder answer() {
        return NegotiateServicesResponse.newBuilder()
                .setNode(ControlPlaneNode.newBuilder().setId("cp"));
    }

    private static AcceptedService accepted(String name, String version) {
        return AcceptedService.newBuilder().setName(name).setVersion(version).build();
    }

    private static RejectedService rejected(String name) {
        return RejectedService.newBuilder()
                .setName(name)
                .setMessage("no " + name + " here")
                .build();
    }

    private static ClientService service(String name, String version, int id, ClientService.Need need) {
        return new ClientService(name, version, id, need, _ -> new ServiceHandler(() -> {}));
    }

    private static final class Events implements LinkClientListener {
        private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        private final BlockingQueue<Duration> delays = new LinkedBlockingQueue<>();

        @Override
        public void connected(AnswerCheck.Agreed agreed) {
            queue.add("connected " + agreed.accepted());
        }

        @Override
        public void disconnected(String reason, Duration retryAfter) {
            delays.add(retryAfter);
            queue.add(reason);
        }

        String next() throws InterruptedException {
            String event = queue.poll(20, TimeUnit.SECONDS);
            return event == null ? "nothing happened" : event;
        }
    }
}
