package io.parley.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.store.ResourceStore;
import io.parley.sync.codec.SyncKinds;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases 9 to 11, seen from the ZoneInsight: what is out of step is shown for as long as it is, whatever else of its kind is taken. */
class RejectionCasesTest {
    private static final String GOOD = Samples.timeout("t", 20).spec().json();
    private static final String BAD = "{\"to\":[{\"targetRef\":{\"kind\":\"Moon\"}}]}";

    private final ResourceStore store = Samples.store();
    private final GlobalNode global = GlobalNode.on(store);
    private final RawPeer peer = new RawPeer(global.port(), "zone-1");

    @AfterEach
    void close() {
        peer.close();
        global.close();
    }

    @Test
    void case10_whatAZoneRejectedStandsUntilItIsReplacedNotUntilAnythingElseIsTaken() throws Exception {
        Samples.put(store, Samples.timeout("a", 1));
        Samples.put(store, Samples.timeout("b", 1));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        stream.send(RawPeer.nack(stream.next(), "user error: a.default: not here"));
        await().untilAsserted(() -> assertThat(insight()).contains("not here"));
        Samples.put(store, Samples.timeout("b", 2));
        stream.send(RawPeer.ack(stream.next()));
        await().untilAsserted(() -> assertThat(insight()).contains("\"responsesAcknowledged\":1"));
        assertThat(insight()).contains("not here");
        Samples.put(store, Samples.timeout("a", 2));
        stream.send(RawPeer.ack(stream.next()));
        await().untilAsserted(() -> assertThat(insight()).doesNotContain("not here"));
    }

    @Test
    void case10_whatAZoneRejectedStandsNoLongerWhenItIsDeleted() throws Exception {
        Samples.put(store, Samples.timeout("a", 1));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        stream.send(RawPeer.nack(stream.next(), "in words that name nothing"));
        await().untilAsserted(() -> assertThat(insight()).contains("that name nothing"));
        Samples.delete(store, Samples.timeout("a", 1));
        DeltaDiscoveryResponse gone = stream.next();
        assertThat(gone.getRemovedResourcesList()).containsExactly("a.default");
        stream.send(RawPeer.ack(gone));
        await().untilAsserted(() -> assertThat(insight()).doesNotContain("that name nothing"));
    }

    @Test
    void case11_whatAZoneSentBadStandsUntilItSendsItGoodOrNoMore() throws Exception {
        var stream = peer.zoneToGlobal();
        for (int i = 0; i < SyncKinds.toGlobal().size(); i++) {
            assertThat(stream.next().getErrorDetail().getMessage()).isEmpty();
        }
        send(stream, "a", item("a", BAD), item("b", BAD), item("c", GOOD));
        await().untilAsserted(() -> assertThat(insight()).contains("a.default", "b.default"));
        send(stream, "", item("c", GOOD.replace("20s", "30s")));
        await().untilAsserted(() -> assertThat(insight()).contains("\"resourcesReceived\":4"));
        assertThat(insight()).contains("a.default", "b.default");
        send(stream, "", item("a", GOOD));
        await().untilAsserted(() -> assertThat(insight()).doesNotContain("a.default"));
        assertThat(insight()).contains("b.default");
        stream.send(answer().addRemovedResources("b.default").build());
        await().untilAsserted(() -> assertThat(insight()).doesNotContain("b.default"));
    }

    private static void send(
            RawPeer.Stream<DeltaDiscoveryResponse, DeltaDiscoveryRequest> stream, String rejected, Resource... items)
            throws InterruptedException {
        stream.send(answer().addAllResources(List.of(items)).build());
        assertThat(stream.next().getErrorDetail().getMessage()).contains(rejected);
    }

    private static DeltaDiscoveryResponse.Builder answer() {
        return DeltaDiscoveryResponse.newBuilder().setTypeUrl("MeshTimeout").setNonce("1");
    }

    private static Resource item(String name, String spec) {
        return RawPeer.json(name, "default", spec);
    }

    private String insight() {
        return Samples.spec(store, SyncKinds.ZONE_INSIGHT, "", "zone-1");
    }
}
