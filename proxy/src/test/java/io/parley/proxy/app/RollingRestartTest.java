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

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
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

/** Both proxies are replaced, ten times each, while connections come and go. */
class RollingRestartTest {
    private static final int RESTARTS = 10;
    private static final int CLIENTS = 4;
    private static final int EXCHANGES = 5;
    private static final int MOST_FAILURES = 20;

    private final TestMesh mesh = new TestMesh();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger finished = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        stop.set(true);
        mesh.close();
    }

    @Test
    void noConnectionThatCouldFinishIsLost() throws Exception {
        try (Server server = Server.echo()) {
            ProxyConfig anyInbound = config(List.of(inbound(Map.of(), strict(Protocol.DETECT))));
            Proxy inbound = mesh.start(SERVER, anyInbound);
            ProxyConfig fixedInbound = at(anyInbound, inbound.address("inbound"));
            ProxyConfig anyOutbound = config(
                    List.of(outbound("service", declared(Protocol.OPAQUE))),
                    cluster("service", meshed(server.port(), inbound.address("inbound"), SERVER)));
            Proxy outbound = mesh.start(CLIENT, anyOutbound);
            InetSocketAddress address = outbound.address("outbound");
            ProxyConfig fixedOutbound = at(anyOutbound, address);

            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofVirtual().start(() -> load(address)));
            }
            for (int i = 0; i < RESTARTS; i++) {
                inbound = replace(inbound, SERVER, fixedInbound);
                outbound = replace(outbound, CLIENT, fixedOutbound);
                int seen = finished.get();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> finished.get() >= seen + CLIENTS || !failures.isEmpty());
            }
            stop.set(true);
            for (Thread client : clients) {
                client.join();
            }
            assertThat(failures).isEmpty();
            assertThat(finished.get()).isGreaterThan(RESTARTS * CLIENTS);
        }
    }

    /** The new one listens before the old one stops to; that one lets its connections finish. */
    private Proxy replace(Proxy old, SpiffeId identity, ProxyConfig config) throws InterruptedException {
        Proxy fresh = mesh.start(identity, config);
        old.drain();
        return fresh;
    }

    private void load(InetSocketAddress address) {
        while (!stop.get() && failures.size() < MOST_FAILURES) {
            int i = 0;
            try (Client client = Client.to(address)) {
                for (; i < EXCHANGES; i++) {
                    String message = "message " + i;
                    if (!client.send(message).read(message.length()).equals(message)) {
                        throw new IOException("cut off at " + i);
                    }
                }
                finished.incrementAndGet();
            } catch (IOException e) {
                failures.add("at exchange " + i + ": " + e);
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
