package io.parley.cli.zones;

import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.cli.demo.LocalMesh;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.tcp.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** A global control plane, two zones with one mesh of mutual TLS, and the proxies that are asked for. */
final class TwoZones implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final LocalMesh global;
    final LocalMesh first;
    final LocalMesh second;

    /** Connections of any proxy that ended. */
    final Queue<Session> ended = new ConcurrentLinkedQueue<>();

    private final Deque<LocalMesh> open = new ArrayDeque<>();

    TwoZones(Path folder) throws IOException {
        global = start(folder.resolve("global"), new Mode.Global());
        global.apply("""
            type: Mesh
            name: default
            mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
            routing: {zoneEgress: true}
            ---
            type: MeshTrafficPermission
            mesh: default
            name: web-may
            spec:
              targetRef: {kind: Mesh}
              from: [{targetRef: {kind: MeshService, name: web}, default: {action: Allow}}]
            """);
        first = start(folder.resolve("zone-1"), global.zone("zone-1"));
        second = start(folder.resolve("zone-2"), global.zone("zone-2"));
    }

    private LocalMesh start(Path folder, Mode mode) throws IOException {
        LocalMesh mesh = LocalMesh.start(folder, HostPort.parse("127.0.0.1:0"), HostPort.parse("127.0.0.1:0"), mode);
        open.push(mesh);
        return mesh;
    }

    /** A workload of a service in the second zone, with its proxy. */
    void offer(String name, String spec) throws IOException {
        second.apply("""
            type: Dataplane
            mesh: default
            name: %s
            %s\
            """.formatted(name, spec));
        awaitReady(second.join(name, ended::add));
    }

    /** The way into the second zone. */
    ProxyProgram ingress(int port) throws IOException {
        second.apply("""
            type: ZoneIngress
            name: ingress
            networking: {address: 127.0.0.1, port: %1$d, advertisedAddress: 127.0.0.1, advertisedPort: %1$d}
            """.formatted(port));
        return awaitReady(second.joinZoneProxy("ingress", ended::add));
    }

    /** The way out of the first zone; {@code passed} is told of each connection that it had. */
    ProxyProgram egress(int port, Consumer<? super Session> passed) throws IOException {
        first.apply("""
            type: ZoneEgress
            name: egress
            networking: {address: 127.0.0.1, port: %d}
            """.formatted(port));
        return awaitReady(first.joinZoneProxy("egress", passed));
    }

    /** The caller in the first zone, which reaches each service at a port of its own. */
    void caller(String outbound) throws IOException {
        first.apply("""
            type: Dataplane
            mesh: default
            name: web-1
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
              outbound: [%s]
            """.formatted(FreePorts.next(), FreePorts.next(), outbound));
        awaitReady(first.join("web-1", ended::add));
    }

    private static ProxyProgram awaitReady(ProxyProgram program) {
        await().atMost(PATIENCE).until(() -> program.proxy().isReady());
        return program;
    }

    @Override
    public void close() {
        open.forEach(LocalMesh::close);
    }
}
