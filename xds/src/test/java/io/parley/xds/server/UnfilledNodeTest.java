package io.parley.xds.server;

import static io.parley.xds.server.Requests.ack;
import static io.parley.xds.server.Requests.delta;
import static io.parley.xds.server.Requests.request;
import static io.parley.xds.server.snapshot.Samples.listener;
import static io.parley.xds.type.ResourceType.LISTENER;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceStub;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients of a node for which there is nothing yet, most likely because its name is misspelt. */
class UnfilledNodeTest {
    private final LiveSnapshot live = new LiveSnapshot();
    private final FakeTicker ticker = new FakeTicker();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final XdsServer xds = XdsServer.builder(
                    _ -> new SnapshotSource.Admission.Serve(live, "there is no such node"))
            .executor(Runnable::run)
            .ticker(ticker)
            .meters(meters)
            .build();
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void serve() throws Exception {
        String name = InProcessServerBuilder.generateName();
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        xds.services().forEach(builder::addService);
        server = builder.build().start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    @AfterEach
    void nothingIsLeftOpen() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
        assertThat(live.watcherCount()).isZero();
    }

    @Test
    void aClientThatHasNothingIsToldAfterSomeSecondsAndServedAsSoonAsThereIsSomething() {
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        StreamObserver<DiscoveryRequest> requests = stub().streamAggregatedResources(inbox);
        requests.onNext(request(LISTENER, "shop").build());
        pass(Duration.ofMillis(4999));
        inbox.assertQuiet();

        pass(Duration.ofMillis(1));

        DiscoveryResponse nothing = inbox.next();
        assertThat(nothing.getResourcesList()).isEmpty();
        assertThat(nothing.getResourceErrors(0).getResourceName().getName()).isEqualTo("shop");
        ack(requests, nothing, "shop");
        pass(Duration.ofMinutes(1));
        inbox.assertQuiet();
        assertThat(meters.get("parley.xds.unfilled.streams").counter().count()).isEqualTo(1);

        live.publish(Snapshot.EMPTY.with(LISTENER, ResourceSet.of(listener("shop", "r"))));
        assertThat(inbox.next().getResourcesCount()).isEqualTo(1);
    }

    @Test
    void aDeltaClientIsToldToo() {
        Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> inbox = new Inbox<>();
        stub().deltaAggregatedResources(inbox).onNext(delta(LISTENER, "shop").build());
        pass(Duration.ofSeconds(5));
        assertThat(inbox.next().getRemovedResourcesList()).containsExactly("shop");
    }

    /** Whoever lost the resource that it is served for keeps what it has: somebody may be about to put it back. */
    @Test
    void aClientThatHasSomethingIsNotToldToDropIt() {
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        stub().streamAggregatedResources(inbox)
                .onNext(request(LISTENER, "shop").setVersionInfo("before").build());
        Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> changes = new Inbox<>();
        stub().deltaAggregatedResources(changes)
                .onNext(delta(LISTENER, "shop")
                        .putInitialResourceVersions("shop", "before")
                        .build());
        pass(Duration.ofMinutes(1));
        inbox.assertQuiet();
        changes.assertQuiet();
        assertThat(meters.get("parley.xds.unfilled.streams").counter().count()).isEqualTo(2);

        live.publish(Snapshot.EMPTY.with(LISTENER, ResourceSet.of(listener("shop", "r"))));

        assertThat(inbox.next().getResourcesCount()).isEqualTo(1);
        assertThat(changes.next().getResourcesCount()).isEqualTo(1);
    }

    private AggregatedDiscoveryServiceStub stub() {
        return AggregatedDiscoveryServiceGrpc.newStub(channel);
    }

    private void pass(Duration time) {
        ticker.advance(time);
        xds.tick();
    }
}
