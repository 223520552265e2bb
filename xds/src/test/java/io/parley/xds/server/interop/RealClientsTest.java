package io.parley.xds.server.interop;

import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.server.snapshot.Samples.listener;
import static io.parley.xds.server.snapshot.Samples.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.SelfConfigSource;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Samples;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case S24: clients of every age call a service, follow what changes without a failed call, and survive a restart of our server. */
class RealClientsTest {
    private final List<Server> backends = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();

    @TempDir
    private Path folder;

    private ControlPlane control;

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            backends.add(NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(GrpcPeer.service("b" + i))
                    .build()
                    .start());
        }
        control = new ControlPlane(mesh("c1", 0));
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Peer peer : peers) {
            peer.close();
        }
        control.close();
        for (Server backend : backends) {
            backend.shutdownNow().awaitTermination();
        }
    }

    @Test
    void s24_grpcJavaOfEveryAge() throws Exception {
        for (String release : List.of("1.33.1", "1.36.2", "1.52.1")) {
            peers.add(Peer.java(release, Bootstrap.v2(control.port()), folder, "client", "xds:///shop"));
        }
        for (String release : List.of("1.36.2", "1.52.1", "1.53.0", "1.85.1")) {
            peers.add(Peer.java(release, Bootstrap.v3(control.port()), folder, "client", "xds:///shop"));
        }
        followEverything();
    }

    @Test
    void s24_grpcJs() throws Exception {
        Path program = NodeProgram.install(Path.of("target", "node"));
        Path bootstrap = Bootstrap.v3(control.port()).write(folder, "grpc-js");
        peers.add(Peer.start("grpc-js", List.of("node", "client.js", "xds:///shop"), program, bootstrap));
        followEverything();
    }

    private void followEverything() throws Exception {
        peers.forEach(peer -> peer.awaitAnswerOf("b0"));
        control.publish(mesh("c1", 1));
        peers.forEach(peer -> peer.awaitAnswerOf("b1"));
        // Before the cluster is gone: what is left of its load then, clients may report or not.
        awaitReportOf("c1");
        control.publish(mesh("c2", 2));
        peers.forEach(peer -> peer.awaitAnswerOf("b2"));
        assertNoFailure();
        control.restart();
        control.publish(mesh("c2", 0));
        peers.forEach(peer -> peer.awaitAnswerOf("b0"));
        assertNoFailure();
        awaitReportOf("c2");
    }

    private void awaitReportOf(String cluster) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(control.reported)
                        .as("s23: load reports, v2 and v3")
                        .contains(cluster));
    }

    /**
     * 1.33.1 lets calls fail while it has no stream, and while its only endpoint is replaced by another, whatever the server
     * does; later releases keep what they have.
     */
    private void assertNoFailure() {
        peers.stream().filter(peer -> !peer.name().startsWith("1.33")).forEach(Peer::assertNoFailure);
    }

    /** The service "shop": its route leads to the cluster, whose only endpoint is the backend. */
    private Snapshot mesh(String cluster, int backend) {
        return Snapshot.EMPTY
                .with(ResourceType.LISTENER, ResourceSet.of(listener("shop", "r")))
                .with(ResourceType.ROUTE, ResourceSet.of(route("r", cluster)))
                .with(ResourceType.CLUSTER, ResourceSet.of(reporting(cluster)))
                .with(ResourceType.ENDPOINT, ResourceSet.of(endpointsOf(cluster, backend)));
    }

    private static EncodedResource reporting(String cluster) {
        return EncodedResource.of(Samples.clusterMessage(cluster)
                .setLrsServer(ConfigSource.newBuilder().setSelf(SelfConfigSource.getDefaultInstance()))
                .build());
    }

    private EncodedResource endpointsOf(String cluster, int backend) {
        return endpoints(cluster, backends.get(backend).getPort());
    }
}
