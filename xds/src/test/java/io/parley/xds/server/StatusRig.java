package io.parley.xds.server;

import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.ENDPOINT;

import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.parley.xds.server.SnapshotSource.Admission;
import io.parley.xds.server.StatusClient.Told;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.server.status.ClientStatusService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;

/** A server of endpoints and of client status, with time in the test's hand. */
final class StatusRig {
    static final ResourceSet FIRST = ResourceSet.of(endpoints("a", 1), endpoints("b", 1));
    static final int MAX_BYTES = 4096;

    final LiveSnapshot live = new LiveSnapshot(Snapshot.EMPTY.with(ENDPOINT, FIRST));
    final XdsServer xds;
    final ManagedChannel channel;
    private final FakeTicker ticker = new FakeTicker();
    private final Server server;

    StatusRig(StreamListener listener) {
        xds = XdsServer.builder(_ -> new Admission.Serve(live))
                .executor(Runnable::run)
                .ticker(ticker)
                .listener(listener)
                .build();
        String name = InProcessServerBuilder.generateName();
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        xds.services().forEach(builder::addService);
        new ClientStatusService(xds, Clock.systemUTC(), MAX_BYTES).services().forEach(builder::addService);
        try {
            server = builder.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    /** Has the client sent these endpoints, whatever it rejected before. */
    Told publish(StatusClient client, ResourceSet endpoints) {
        live.publish(Snapshot.EMPTY.with(ENDPOINT, endpoints));
        afterThePause();
        return client.next();
    }

    void afterThePause() {
        ticker.advance(Duration.ofSeconds(5));
        xds.tick();
    }

    ClientConfig config() {
        return ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel)
                .fetchClientStatus(ClientStatusRequest.getDefaultInstance())
                .getConfig(0);
    }

    GenericXdsConfig shown(String name) {
        return config().getGenericXdsConfigsList().stream()
                .filter(resource -> resource.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    void stop() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
    }
}
