package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.SessionProtocol;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.server.AcceptLoops;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.listen.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Case 7: both proxies are replaced, ten times each, under requests of either version on kept connections; none fails. */
class HttpRollingRestartTest {
    private static final int RESTARTS = 10;
    private static final int CLIENTS = 2;
    private static final int MOST_FAILURES = 5;

    private final TestMesh mesh = new TestMesh();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger finished = new AtomicInteger();
    private final List<Thread> drains = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        stop.set(true);
        mesh.close();
    }

    private static com.linecorp.armeria.server.Server application() {
        com.linecorp.armeria.server.Server server = com.linecorp.armeria.server.Server.builder()
                .http(new InetSocketAddress(TestMesh.loopback(), 0))
                .service("/", (_, _) -> HttpResponse.of("hello"))
                .gracefulShutdownTimeoutMillis(0, 0)
                .bossGroupFactory(AcceptLoops::named)
                .build();
        server.start().join();
        return server;
    }

    @Test
    void c7_noRequestFails() throws InterruptedException {
        com.linecorp.armeria.server.Server server = application();
        try (ClientFactory factory = ClientFactory.builder().build()) {
            int port = server.activeLocalPort();
            ProxyConfig anyInbound = config(List.of(inbound(Map.of(), strict(Protocol.DETECT))));
            Proxy inbound = mesh.start(SERVER, anyInbound);
            ProxyConfig fixedInbound = at(anyInbound, inbound.address("inbound"));
            ProxyConfig anyOutbound = config(
                    List.of(outbound("service", declared(Protocol.DETECT))),
                    cluster("service", meshed(port, inbound.address("inbound"), SERVER)));
            Proxy outbound = mesh.start(CLIENT, anyOutbound);
            InetSocketAddress address = outbound.address("outbound");
            ProxyConfig fixedOutbound = at(anyOutbound, address);
            List<Thread> clients = start(factory, address);
            for (int i = 0; i < RESTARTS; i++) {
                inbound = replace(inbound, SERVER, fixedInbound);
                outbound = replace(outbound, CLIENT, fixedOutbound);
                int seen = finished.get();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> finished.get() >= seen + 20 * CLIENTS || !failures.isEmpty());
            }
            for (Thread drain : drains) {
                drain.join();
            }
            stop.set(true);
            for (Thread thread : clients) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        } finally {
            server.stop().join();
        }
    }

    private List<Thread> start(ClientFactory factory, InetSocketAddress address) {
        List<Thread> clients = new ArrayList<>();
        for (SessionProtocol protocol : List.of(SessionProtocol.H1C, SessionProtocol.H2C)) {
            WebClient client = WebClient.builder(protocol.uriText() + "://127.0.0.1:" + address.getPort())
                    .factory(factory)
                    .responseTimeout(Duration.ofSeconds(20))
                    .build();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofVirtual().start(() -> load(client)));
            }
        }
        return clients;
    }

    /** The old one lets its connections finish while the next is being replaced already. */
    private Proxy replace(Proxy old, SpiffeId identity, ProxyConfig config) {
        Proxy fresh = mesh.start(identity, config);
        drains.add(Thread.ofVirtual().start(() -> {
            try {
                old.drain();
            } catch (InterruptedException e) {
                failures.add("not drained");
            }
        }));
        return fresh;
    }

    private void load(WebClient client) {
        while (!stop.get() && failures.size() < MOST_FAILURES) {
            try {
                AggregatedHttpResponse answer = client.get("/").aggregate().join();
                if (!answer.status().isSuccess()) {
                    failures.add(answer.headers() + answer.contentUtf8());
                }
                finished.incrementAndGet();
            } catch (RuntimeException e) {
                failures.add(e.toString());
            }
        }
    }

    private static ProxyConfig at(ProxyConfig config, InetSocketAddress address) {
        List<ListenerConfig> listeners = config.listeners().stream()
                .map(one -> new ListenerConfig(
                        one.name(), one.direction(), address, one.destinations(), one.routing(), one.limits()))
                .toList();
        return new ProxyConfig("fixed", listeners, config.clusters(), config.timeouts());
    }
}
