package io.parley.xds.server.interop;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.parley.xds.server.SnapshotSource;
import io.parley.xds.server.XdsServer;
import io.parley.xds.server.load.LoadReporting;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.Snapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** Our server on a real port, which it keeps when it is restarted. */
final class ControlPlane implements AutoCloseable {
    /** Clusters that load was reported of. */
    final Set<String> reported = ConcurrentHashMap.newKeySet();

    private LiveSnapshot live;
    private Server server;

    ControlPlane(Snapshot first) throws IOException {
        live = new LiveSnapshot(first);
        server = start(0);
    }

    int port() {
        return server.getPort();
    }

    void publish(Snapshot snapshot) {
        live.publish(snapshot);
    }

    /** Comes back as a new process would: nothing is remembered, the same configuration is served. */
    void restart() throws IOException {
        int port = server.getPort();
        Snapshot current = live.current().orElseThrow();
        close();
        live = new LiveSnapshot(current);
        server = start(port);
    }

    private Server start(int port) throws IOException {
        LiveSnapshot cell = live;
        XdsServer xds =
                XdsServer.builder(_ -> new SnapshotSource.Admission.Serve(cell)).build();
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        xds.register(builder);
        LoadReporting loads = new LoadReporting(
                (_, clusters) -> clusters.forEach(cluster -> reported.add(cluster.getClusterName())),
                Duration.ofMillis(200),
                100);
        loads.services().forEach(builder::addService);
        return builder.build().start();
    }

    @Override
    public void close() {
        server.shutdownNow();
        Awaitility.await().until(server::isTerminated);
    }
}
