package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;
import io.parley.store.ResourceStore;
import io.parley.sync.codec.SyncKinds;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A zone that moves between global control planes of one store. */
class TwoGlobalsTest {
    private final ResourceStore global = Samples.store();
    private final ResourceStore zone = Samples.store();
    private final GlobalNode one = GlobalNode.on(global);
    private final GlobalNode other = GlobalNode.on(global, GlobalSettings.of("global-2", "0.1.0"));
    private final TcpForwarder wire = new TcpForwarder(one.port());
    private final ZoneNode node = ZoneNode.of("zone-1", zone, wire.port());

    @AfterEach
    void close() {
        node.close();
        wire.close();
        one.close();
        other.close();
    }

    /** Back at the first one, which knows the row at another revision and has nothing else to hear. */
    @Test
    void whatWasDeletedWhileAwayIsGoneAlthoughAnotherGlobalWroteItLast() {
        Samples.put(zone, Samples.dataplane("stays", 1));
        Samples.put(zone, Samples.dataplane("goes", 1));
        await().untilAsserted(() ->
                assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.goes", "zone-1.stays"));
        wire.cut();
        wire.target(other.port());
        wire.mend();
        Samples.put(zone, Samples.dataplane("goes", 2));
        await().untilAsserted(() -> assertThat(Samples.spec(global, DATAPLANE, "default", "zone-1.goes"))
                .contains("\"port\":2"));
        wire.cut();
        Samples.delete(zone, Samples.dataplane("goes", 2));
        wire.target(one.port());
        wire.mend();
        await().untilAsserted(() -> assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.stays"));
    }

    /** It reached the first one, which was slow to store it; meanwhile the zone has said something newer to the other. */
    @Test
    void aDeliveryThatIsStoredAfterTheZoneHasMovedChangesNothing() throws Exception {
        BreakableStore slow = new BreakableStore();
        try (GlobalNode first = GlobalNode.on(slow);
                GlobalNode second = GlobalNode.on(slow.unbroken(), GlobalSettings.of("global-2", "0.1.0"));
                RawPeer before = new RawPeer(first.port(), "zone-1", "parley-json-specs");
                RawPeer after = new RawPeer(second.port(), "zone-1", "parley-json-specs")) {
            var old = before.zoneToGlobal();
            for (int i = 0; i < SyncKinds.toGlobal().size(); i++) {
                old.next();
            }
            old.send(ProtocolCasesTest.response("Dataplane", dataplane(1)));
            assertThat(old.next().hasErrorDetail()).isFalse();
            slow.beforeNextCommitOf(DATAPLANE, () -> moveTo(after));
            old.send(ProtocolCasesTest.response("Dataplane", dataplane(2)));
            assertThat(old.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(Samples.spec(slow, DATAPLANE, "default", "zone-1.d")).contains("\"port\":3");
        }
    }

    private static void moveTo(RawPeer peer) {
        try {
            assertThat(OwnershipCasesTest.answer(peer, "Dataplane", dataplane(3))
                            .hasErrorDetail())
                    .isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Resource dataplane(int port) {
        return RawPeer.json("d", "default", Samples.dataplane("d", port).spec().json());
    }
}
