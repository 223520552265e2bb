package io.parley.link.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.parley.agreement.version.OfferedVersion;
import io.parley.link.LinkLimits;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.fixture.EchoService;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RawNode;
import io.parley.link.fixture.TestControlPlane;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.FrameCodec;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.PingCPResponse;
import io.parley.wire.wrpc.proto.ReportMetadataRequest;
import io.parley.wire.wrpc.proto.ReportMetadataResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One node can harm itself and nobody else. */
class HostileNodesTest {
    private static final Pki PKI = new Pki();
    private static final SSLContext TLS = PKI.tls(PKI.node("web"));
    private static final String MEGABYTE = "x".repeat(1 << 20);

    private final EchoService echo = new EchoService();
    private TestControlPlane controlPlane;
    private RawNode good;

    @BeforeEach
    void start() throws IOException {
        controlPlane = TestControlPlane.start(PKI, List.of(echo.binding("config", "v1", "")), LinkListener.NONE);
        good = RawNode.upgraded(controlPlane.port(), TLS, "good");
        good.negotiate("config", "v1");
    }

    @AfterEach
    void theGoodNodeNeverNoticed() throws IOException {
        int seq = good.call(Services.PING_CP, PingCPRequest.getDefaultInstance());
        assertThat(good.receive())
                .isInstanceOfSatisfying(
                        Frame.Reply.class, reply -> assertThat(reply.ack()).isEqualTo(seq));
        good.close();
        controlPlane.close();
    }

    @Test
    void mutatedFramesEndInAnAnswerOrAClose() throws IOException {
        long seed = 20_261_116;
        var random = new Random(seed);
        byte[] valid = FrameCodec.encode(new Frame.Call(
                Services.NEGOTIATE.method(),
                1,
                RawNode.NEVER,
                RawNode.request("config", "v1").build().toByteString()));
        for (int round = 0; round < 60; round++) {
            try (var node = RawNode.upgraded(controlPlane.port(), TLS)) {
                byte[] mutated = mutate(valid, random);
                node.binary(mutated);
                RawNode.WsFrame answer = node.receiveFrame();
                assertThat(answer.opcode()).as("seed %d round %d", seed, round).isIn(RawNode.BINARY, RawNode.CLOSE);
            }
        }
    }

    @Test
    void aConnectionCutInTheMiddleOfAFrameIsCleanedUp() throws IOException {
        byte[] half = Arrays.copyOf(RawNode.encode(RawNode.BINARY, true, new byte[1_000]), 500);
        for (int i = 0; i < 10; i++) {
            try (var node = RawNode.upgraded(controlPlane.port(), TLS)) {
                node.negotiate("config", "v1");
                node.raw(half);
            }
        }
        await().until(() -> controlPlane.endpoint().nodes().size() == 1);
    }

    @Test
    void ofTenThousandCallsAtOnceOnlySoManyAreServedAtATime() throws IOException {
        echo.answering(_ -> new CompletableFuture<>());
        try (var node = RawNode.upgraded(controlPlane.port(), TLS)) {
            node.negotiate("config", "v1");
            var all = new ByteArrayOutputStream();
            for (int seq = 2; seq < 10_002; seq++) {
                var call = new Frame.Call(Services.PING_CP.method(), seq, RawNode.NEVER, ByteString.EMPTY);
                all.writeBytes(RawNode.encode(RawNode.BINARY, true, FrameCodec.encode(call)));
            }
            Thread.ofVirtual().start(() -> {
                try {
                    node.raw(all.toByteArray());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            int limit = LinkLimits.DEFAULT.maxRunningCalls();
            for (int refused = 0; refused < 10_000 - limit; refused++) {
                assertThat(node.receive()).isInstanceOf(Frame.Failure.class);
            }
            assertThat(echo.calls()).hasSize(limit);
        }
        echo.answering(_ -> CompletableFuture.completedFuture(PingCPResponse.getDefaultInstance()));
    }

    @Test
    void aNodeThatNeverReadsIsCutOff() throws IOException {
        var big = ReportMetadataResponse.newBuilder().setOk(MEGABYTE).build();
        var binding = new ServiceBinding(
                "config",
                OfferedVersion.of("v1"),
                Services.CONFIG,
                _ -> new ServiceHandler(() -> {})
                        .on(Services.REPORT_METADATA, _ -> CompletableFuture.completedFuture(big)));
        var limits = new LinkLimits(4 << 20, 1_000, 1_000, 8 << 20, Duration.ofSeconds(10), Duration.ofSeconds(90));
        var reasons = new ConcurrentLinkedQueue<CloseReason>();
        try (var other = TestControlPlane.start(
                        PKI,
                        TestControlPlane.settings(limits),
                        TestControlPlane.byMeshCertificate(PKI),
                        List.of(binding),
                        new LinkListener() {
                            @Override
                            public void disconnected(NegotiationRecord negotiation, CloseReason reason) {
                                reasons.add(reason);
                            }
                        },
                        0);
                var node = RawNode.upgraded(other.port(), TLS)) {
            node.negotiate("config", "v1");
            try {
                for (int i = 0; i < 64 && reasons.isEmpty(); i++) {
                    node.call(Services.REPORT_METADATA, ReportMetadataRequest.getDefaultInstance());
                }
            } catch (IOException _) {
                // Cut off already; the reason is told a moment later.
            }
            await().until(() -> !reasons.isEmpty());
            assertThat(reasons.element().text()).startsWith("peer does not read");
            await().until(() -> other.endpoint().nodes().isEmpty());
        }
    }

    @Test
    void ofPingsThatANodeSendsWithoutReadingOnlyTheLastIsSureToBeAnswered() throws IOException {
        int pings = 4_000;
        var all = new ByteArrayOutputStream();
        byte[] ping = RawNode.encode(RawNode.PING, true, new byte[125]);
        for (int i = 0; i < pings; i++) {
            all.writeBytes(ping);
        }
        try (var node = RawNode.upgraded(controlPlane.port(), TLS)) {
            node.negotiate("config", "v1");
            node.raw(all.toByteArray());
            node.frame(RawNode.PING, true, new byte[] {7});

            int pongs = 1;
            while (node.receiveFrame().payload().size() != 1) {
                pongs++;
            }
            assertThat(pongs).isLessThan(pings);
        }
    }

    @Test
    void aNodeThatOpensLinkAfterLinkLosesItsOldest() throws IOException {
        var opened = new ArrayList<RawNode>();
        try (var first = RawNode.upgraded(controlPlane.port(), TLS)) {
            first.negotiate("config", "v1");
            for (int i = 0; i < 20; i++) {
                RawNode node = RawNode.upgraded(controlPlane.port(), TLS);
                opened.add(node);
                node.negotiate("config", "v1");
            }

            RawNode.WsFrame close = first.receiveClose();
            assertThat(close.closeCode()).isEqualTo(CloseReason.POLICY_VIOLATION);
            assertThat(close.closeText()).isEqualTo("this node opened 4 more links (expected: at most 4)");
            // Four of it, and the good node's.
            await().until(() -> controlPlane.endpoint().nodes().size() == 5);
            opened.getLast().call(Services.PING_CP, PingCPRequest.getDefaultInstance());
            assertThat(opened.getLast().receive()).isInstanceOf(Frame.Reply.class);
        } finally {
            for (RawNode node : opened) {
                node.close();
            }
        }
    }

    @Test
    void nodesThatShareACredentialDoNotShareTheLimit() throws IOException {
        var opened = new ArrayList<RawNode>();
        try {
            for (int i = 0; i < 8; i++) {
                RawNode node = RawNode.upgraded(controlPlane.port(), TLS, "dp-" + i);
                opened.add(node);
                node.negotiate("config", "v1");
            }
            assertThat(controlPlane.endpoint().nodes()).hasSize(9);
        } finally {
            for (RawNode node : opened) {
                node.close();
            }
        }
    }

    @Test
    void anyNumberOfEmptyFragmentsTakesNoRoom() throws IOException {
        try (var node = RawNode.upgraded(controlPlane.port(), TLS)) {
            node.frame(RawNode.BINARY, false, new byte[0]);
            var many = new ByteArrayOutputStream();
            for (int i = 0; i < 20_000; i++) {
                many.writeBytes(RawNode.encode(RawNode.CONTINUATION, false, new byte[0]));
            }
            node.raw(many.toByteArray());
            byte[] message = FrameCodec.encode(new Frame.Call(
                    Services.NEGOTIATE.method(),
                    1,
                    RawNode.NEVER,
                    RawNode.request("config", "v1").build().toByteString()));
            node.frame(RawNode.CONTINUATION, true, message);
            assertThat(node.receive()).isInstanceOf(Frame.Reply.class);
        }
    }

    private static byte[] mutate(byte[] valid, Random random) {
        byte[] bytes = Arrays.copyOf(valid, 1 + random.nextInt(valid.length));
        for (int change = random.nextInt(4); change > 0; change--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
