package io.parley.link.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.link.Backoff;
import io.parley.link.Link;
import io.parley.link.LinkLimits;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.fixture.EchoService;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RoundRobin;
import io.parley.link.fixture.TestControlPlane;
import io.parley.link.fixture.TestNodes;
import io.parley.link.negotiation.AnswerCheck;
import io.parley.link.server.LinkListener;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.PingCPRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What was agreed on one connection counts for nothing on the next. */
class ReconnectTest {
    private static final Pki PKI = new Pki();
    private static final int RECONNECTS = 1_000;
    private static final int NODES = 500;

    @Test
    void behindALoadBalancerNoServiceIsUsedThatThisConnectionDidNotAgree() {
        var old = new EchoService();
        var young = new EchoService();
        var done = new AtomicInteger();
        var failures = new ConcurrentLinkedQueue<String>();
        try (var first = TestControlPlane.start(PKI, List.of(old.binding("config", "v1", "")), LinkListener.NONE);
                var second =
                        TestControlPlane.start(PKI, List.of(young.binding("config", "v2", "")), LinkListener.NONE);
                var balancer = new RoundRobin(first.port(), second.port());
                var nodes = new TestNodes(
                        PKI, new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)), LinkLimits.DEFAULT.handshake())) {
            for (int node = 0; node < 8; node++) {
                nodes.start(
                        balancer.port(), "node-" + node, pingOnceThenLeave(done, failures), LinkClientListener.NONE);
            }
            await().atMost(Duration.ofMinutes(2)).until(() -> done.get() >= RECONNECTS);
        }
        assertThat(failures).isEmpty();
        // Each side was used, and only ever in the version that it agreed to.
        assertThat(Set.copyOf(old.calls())).containsExactly("v1:v1");
        assertThat(Set.copyOf(young.calls())).containsExactly("v2:v2");
        assertThat(old.calls().size() + young.calls().size()).isGreaterThanOrEqualTo(RECONNECTS);
    }

    @Test
    void afterARestartAllNodesNegotiateAnewAtDifferentTimes() {
        var echo = new EchoService();
        Map<String, Map<String, String>> agreed = new ConcurrentHashMap<>();
        Queue<Duration> delays = new ConcurrentLinkedQueue<>();
        try (var nodes = new TestNodes(PKI)) {
            var before = TestControlPlane.start(
                    PKI,
                    List.of(echo.binding("config", "v2", ""), echo.binding("config", "v1", "")),
                    LinkListener.NONE);
            int port = before.port();
            for (int node = 0; node < NODES; node++) {
                nodes.start(port, "node-" + node, idle(), recording("node-" + node, agreed, delays));
            }
            await().atMost(Duration.ofMinutes(2)).until(() -> agreed.size() == NODES);
            assertThat(Set.copyOf(agreed.values())).containsExactly(Map.of("config", "v2"));
            agreed.clear();
            delays.clear();
            before.kill();

            // The new one serves less than the old one did.
            try (var after = TestControlPlane.start(
                    PKI,
                    TestControlPlane.settings(LinkLimits.DEFAULT),
                    TestControlPlane.byMeshCertificate(PKI),
                    List.of(echo.binding("config", "v1", "")),
                    LinkListener.NONE,
                    port)) {
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> after.endpoint().nodes().size() == NODES);
                await().atMost(Duration.ofMinutes(2)).until(() -> agreed.size() == NODES);
            }
        }
        assertThat(Set.copyOf(agreed.values())).containsExactly(Map.of("config", "v1"));
        assertThat(delays.size()).isGreaterThanOrEqualTo(NODES);
        assertThat(delays)
                .allMatch(delay -> delay.compareTo(TestNodes.QUICK.shortest()) >= 0
                        && delay.compareTo(TestNodes.QUICK.longest()) <= 0);
        assertThat(Set.copyOf(delays)).hasSizeGreaterThan(5);
    }

    private static LinkClientListener recording(
            String node, Map<String, Map<String, String>> agreed, Queue<Duration> delays) {
        return new LinkClientListener() {
            @Override
            public void connected(AnswerCheck.Agreed result) {
                agreed.put(node, result.accepted());
            }

            @Override
            public void disconnected(String reason, Duration retryAfter) {
                delays.add(retryAfter);
            }
        };
    }

    private static List<ClientService> idle() {
        return both((_, _) -> {});
    }

    private static List<ClientService> pingOnceThenLeave(AtomicInteger done, Queue<String> failures) {
        return both((link, version) -> {
            var ping = PingCPRequest.newBuilder().setHash(version).build();
            var _ = link.call(Services.PING_CP, ping, Duration.ofSeconds(10)).whenComplete((_, failure) -> {
                if (failure != null && done.get() < RECONNECTS) {
                    failures.add(version + ": " + failure.getMessage());
                }
                done.incrementAndGet();
                link.close(new CloseReason(CloseReason.NORMAL, "again"));
            });
        });
    }

    private interface Use {
        void on(Link link, String version);
    }

    private static List<ClientService> both(Use use) {
        return List.of(one("v1", use), one("v2", use));
    }

    private static ClientService one(String version, Use use) {
        return new ClientService("config", version, Services.CONFIG, ClientService.Need.REQUIRED, link -> {
            use.on(link, version);
            return new ServiceHandler(() -> {});
        });
    }
}
