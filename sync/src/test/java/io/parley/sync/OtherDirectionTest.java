package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.parley.resource.ResourceKey;
import io.parley.store.Stored;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.grpc.SyncMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases 20, 22, 24 and 46 once more, from the zone to global or in other words. */
class OtherDirectionTest {
    private final BreakableStore global = new BreakableStore();
    private final BreakableStore zone = new BreakableStore();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final GlobalNode node = opened(GlobalNode.on(global));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** Kuma issue 16428: a stream that ends with OK, as if all were said, looked healthy for ever. */
    @Test
    void case20_anEndInGoodOrderIsAnEnd() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Server polite = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerInterceptors.intercept(
                        node.sync().services().getFirst(), new EndsFirst(SyncMethods.GLOBAL_TO_ZONE, calls)))
                .build()
                .start();
        open.add(polite::shutdownNow);
        Samples.put(global, Samples.timeout("t", 20));
        opened(ZoneNode.of("zone-1", zone, polite.getPort()));
        await().untilAsserted(() -> assertThat(Samples.names(zone, TIMEOUT)).containsExactly("t"));
        assertThat(calls).hasValueGreaterThan(1);
    }

    /** Ends the first call of a method with OK when its first message comes. */
    private record EndsFirst(String method, AtomicInteger calls) implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            boolean first =
                    call.getMethodDescriptor().getFullMethodName().endsWith(method) && calls.getAndIncrement() == 0;
            if (!first) {
                return next.startCall(call, headers);
            }
            call.sendHeaders(new Metadata());
            call.request(1);
            return new SimpleForwardingServerCallListener<>(new ServerCall.Listener<Q>() {}) {
                @Override
                public void onMessage(Q message) {
                    call.close(Status.OK, new Metadata());
                }
            };
        }
    }

    @Test
    void case22_aZoneWhoseStoreCannotBeReadSaysNothing() {
        Samples.put(zone, Samples.dataplane("web-1", 80));
        ZoneNode before = ZoneNode.of("zone-1", zone, node.port());
        await().untilAsserted(() -> assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1"));
        // What was stored is counted a moment later, and who has left is noticed a moment later.
        await().until(() -> received() > 0);
        before.close();
        await().until(() -> connected() == 0);
        zone.broken(true);
        opened(ZoneNode.of("zone-1", zone, node.port()));
        double requests = received();
        await().until(() -> connected() > 0);
        assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1");
        zone.broken(false);
        Samples.put(zone, Samples.dataplane("web-2", 80));
        await().untilAsserted(() ->
                assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1", "zone-1.web-2"));
        await().untilAsserted(() -> assertThat(received()).isGreaterThan(requests));
    }

    private double received() {
        return node.count("parley.sync.received.resources", "kind", "Dataplane");
    }

    private double connected() {
        return node.meters.get("parley.sync.zones.connected").gauge().value();
    }

    @Test
    void case24_whatAnOldStreamBringsAfterANewOneWasOpenedCountsForNothing() throws Exception {
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            var old = open(peer);
            old.send(ProtocolCasesTest.response("MeshTimeout", timeout(1)));
            assertThat(old.next().hasErrorDetail()).isFalse();
            var fresh = open(peer);
            assertThat(old.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.ABORTED);
            fresh.send(ProtocolCasesTest.response("MeshTimeout", timeout(2)));
            assertThat(fresh.next().hasErrorDetail()).isFalse();
            assertThat(Samples.spec(global, TIMEOUT, "default", "zone-1.t")).contains("\"2s\"");
        }
    }

    @Test
    void case46_aCopyOnGlobalThatWasWrittenMeanwhileIsLookedAtAgain() throws Exception {
        ResourceKey copy = new ResourceKey(TIMEOUT, "default", "zone-1.t");
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            var stream = open(peer);
            stream.send(ProtocolCasesTest.response("MeshTimeout", timeout(1)));
            assertThat(stream.next().hasErrorDetail()).isFalse();
            Stored row = global.find(copy).orElseThrow();
            global.beforeNextCommitOf(
                    TIMEOUT,
                    () -> Samples.put(
                            global.unbroken(),
                            row.resource().withSpec(Samples.timeout("t", 77).spec())));
            stream.send(ProtocolCasesTest.response("MeshTimeout", timeout(2)));
            assertThat(stream.next().hasErrorDetail()).isFalse();
        }
        assertThat(Samples.spec(global, TIMEOUT, "default", "zone-1.t")).contains("\"2s\"");
    }

    private static RawPeer.Stream<DeltaDiscoveryResponse, DeltaDiscoveryRequest> open(RawPeer peer)
            throws InterruptedException {
        var stream = peer.zoneToGlobal();
        for (int i = 0; i < SyncKinds.toGlobal().size(); i++) {
            stream.next();
        }
        return stream;
    }

    private static io.envoyproxy.envoy.service.discovery.v3.Resource timeout(int seconds) {
        return RawPeer.json("t", "default", Samples.timeout("t", seconds).spec().json());
    }

    private <T extends AutoCloseable> T opened(T made) {
        open.add(made);
        return made;
    }
}
