package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.grpc.Status;
import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Revision;
import io.parley.sync.zone.LinkState;
import io.parley.xds.client.loop.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases 17 to 26: connections that come and go. */
class ReconnectCasesTest {
    private final BreakableStore global = new BreakableStore();
    private final ResourceStore first = Samples.store();
    private final ResourceStore second = Samples.store();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final GlobalNode node = opened(GlobalNode.on(global));
    private final TcpForwarder wire = opened(new TcpForwarder(node.port()));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void case17_aReconnectWithNothingChangedWritesNothingAndSendsNothing() {
        ZoneNode zone = zone1();
        Samples.put(global, Samples.timeout("t", 20));
        Samples.put(first, Samples.dataplane("web-1", 8080));
        awaitInStep();
        Resource copy = first.find(new ResourceKey(TIMEOUT, "default", "t"))
                .orElseThrow()
                .resource();
        Samples.put(first, copy.withStatus(new Document("{\"seen\":true}")));
        reconnect(zone);
        // The row was written by somebody else since: it is asked for again, and found unchanged.
        await().untilAsserted(() -> assertThat(zone.count("parley.sync.received.resources", "kind", "MeshTimeout"))
                .isEqualTo(2));
        Revision before = first.revision();
        Revision there = global.find(key("zone-1.web-1")).orElseThrow().revision();
        reconnect(zone);
        Samples.put(global, Samples.timeout("later", 20));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).contains("later"));
        assertThat(first.revision()).isEqualTo(before.next());
        assertThat(global.find(key("zone-1.web-1")).orElseThrow().revision()).isEqualTo(there);
        await().untilAsserted(() -> assertThat(node.count("parley.sync.sent.resources", "kind", "MeshTimeout"))
                .isEqualTo(3));
        assertThat(first.find(copy.key()).orElseThrow().resource().status()).isEqualTo(new Document("{\"seen\":true}"));
    }

    @Test
    void case18and19_deletesWhileAwayAreCaughtUpAndOthersAreUntouched() {
        zone1();
        ZoneNode other = opened(ZoneNode.of("zone-2", second, node.port()));
        Samples.put(global, Samples.timeout("stays", 20));
        Samples.put(global, Samples.timeout("goes", 20));
        Samples.put(first, Samples.dataplane("web-1", 8080));
        Samples.put(second, Samples.dataplane("web-1", 8080));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("goes", "stays");
            assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1", "zone-2.web-1");
        });
        awaitConnected(other);
        wire.cut();
        Samples.delete(global, Samples.timeout("goes", 20));
        Samples.delete(first, Samples.dataplane("web-1", 8080));
        Samples.put(first, Samples.zoneTimeout("made-alone", 5));
        wire.mend();
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("made-alone", "stays");
            assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-2.web-1");
            assertThat(Samples.names(global, TIMEOUT)).containsExactly("stays", "zone-1.made-alone");
        });
        assertThat(other.sync().states()).allMatch(LinkState.Connected.class::isInstance);
    }

    @Test
    void case20_aCleanEndOfOneStreamIsNoticedAndAllRestart() {
        ZoneNode zone = zone1();
        awaitConnected(zone);
        // The same zone opens one of the streams from elsewhere: global ends the zone's own, in good order.
        try (RawPeer rival = new RawPeer(node.port(), "zone-1").with("parley-priority-class", "operational")) {
            var stream = rival.globalToZone();
            await().untilAsserted(() -> assertThat(stream.end).isDone());
        }
        Samples.put(global, Samples.timeout("t", 20));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).containsExactly("t"));
    }

    @Test
    void case21_aFirstStateIsStoredWholeOrNotAtAll() {
        Set<Integer> sizes = new HashSet<>();
        String filler = "p".repeat(60);
        List<Change> many = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            many.add(new Change.Put(Samples.timeout(filler + i, 20), Expected.anything(), null));
        }
        global.commit(many);
        Random random = new Random(21);
        for (int round = 0; round < 8; round++) {
            ResourceStore fresh = Samples.store();
            ZoneNode zone = ZoneNode.of("zone-1", fresh, wire.port());
            long until = wire.toZoneBytes.get() + random.nextInt(2_500_000);
            await().pollInterval(Duration.ofMillis(2))
                    .until(() -> wire.toZoneBytes.get() >= until
                            || Samples.names(fresh, TIMEOUT).size() == 6_000);
            wire.cut();
            zone.close();
            sizes.add((int) fresh.list(Query.of(TIMEOUT)).total());
            wire.mend();
        }
        assertThat(sizes).isSubsetOf(0, 6_000);
    }

    @Test
    void case22_aStoreThatCannotBeReadIsSilenceNotEmptiness() throws Exception {
        Samples.put(global, Samples.timeout("t", 20));
        ZoneNode zone = zone1();
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).containsExactly("t"));
        zone.close();
        global.broken(true);
        GlobalNode restarted = opened(GlobalNode.on(global));
        wire.target(restarted.port());
        ZoneNode again = zone1();
        try (RawPeer peer = new RawPeer(restarted.port(), "zone-9")) {
            assertThat(peer.globalToZone().end.get(10, TimeUnit.SECONDS).getCode())
                    .isEqualTo(Status.Code.UNAVAILABLE);
        }
        assertThat(Samples.names(first, TIMEOUT)).containsExactly("t");
        global.broken(false);
        Samples.put(global, Samples.timeout("u", 20));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).containsExactly("t", "u"));
        assertThat(again.count("parley.sync.received.rejected", "kind", "MeshTimeout"))
                .isZero();
    }

    @Test
    void case23_oneZonesEndIsNothingToAnother() throws Exception {
        Samples.put(global, Samples.mesh("default"));
        Samples.put(global, Samples.secret("s", "QUJD"));
        ZoneNode zone = zone1();
        awaitConnected(zone);
        try (RawPeer peer = new RawPeer(node.port(), "zone-2")) {
            var stream = peer.globalToZone();
            for (String kind : List.of("Mesh", "Secret")) {
                stream.send(RawPeer.ask(kind).build());
                DeltaDiscoveryResponse response = stream.next();
                assertThat(response.getResourcesCount()).isEqualTo(1);
                stream.send(RawPeer.ack(response));
            }
            zone.close();
            assertThat(stream.poll(500)).isNull();
            assertThat(stream.end).isNotDone();
        }
    }

    @Test
    void case24_aSecondConnectionOfAZoneTakesOver() throws Exception {
        Samples.put(global, Samples.timeout("t", 20));
        try (RawPeer peer = new RawPeer(node.port(), "zone-2")) {
            var old = peer.globalToZone();
            old.send(RawPeer.ask("MeshTimeout").build());
            old.next();
            var fresh = peer.globalToZone();
            fresh.send(RawPeer.ask("MeshTimeout").build());
            DeltaDiscoveryResponse response = fresh.next();
            assertThat(response.getResourcesCount()).isEqualTo(1);
            assertThat(old.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.ABORTED);
            fresh.send(RawPeer.ack(response));
            Samples.put(global, Samples.timeout("t", 21));
            assertThat(fresh.next().getResourcesCount()).isEqualTo(1);
        }
    }

    @Test
    void case25_aZoneAloneWorksAndCatchesUp() {
        wire.cut();
        ZoneNode zone = zone1();
        for (int i = 0; i < 20; i++) {
            Samples.put(first, Samples.zoneTimeout("p-" + i, i + 1));
        }
        await().until(() -> zone.sync().states().stream().allMatch(LinkState.Waiting.class::isInstance));
        assertThat(Samples.names(first, TIMEOUT)).hasSize(20);
        wire.mend();
        await().untilAsserted(() -> assertThat(Samples.names(global, TIMEOUT)).hasSize(20));
    }

    @Test
    void case26_waitsAsLongAsKumaDoes() {
        Random random = new Random(26);
        Set<Duration> first = new HashSet<>();
        for (int zone = 0; zone < 100; zone++) {
            Duration one = ZoneSettings.BACKOFF.after(1, random);
            assertThat(one).isBetween(Duration.ofMillis(3500), Duration.ofMillis(6500));
            first.add(one);
            assertThat(ZoneSettings.BACKOFF.after(20, random))
                    .isBetween(Duration.ofSeconds(42), Duration.ofSeconds(78));
        }
        assertThat(first).hasSizeGreaterThan(90);
        assertThat(ZoneSettings.of("z", "i", "r").stable()).isEqualTo(Duration.ofMinutes(1));
    }

    /** In small: 20 ms to 5 s by fours. What is cut off comes back after waits that grow, and that differ between zones. */
    @Test
    void case26_attemptsGetRarerUntilAConnectionLasted() {
        Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofMillis(5120), 4, 0.3);
        ZoneSettings settings = ZoneNode.settings("zone-1").withBackoff(backoff, Duration.ofMillis(100));
        wire.cut();
        ZoneNode zone = opened(new ZoneNode(first, wire.port(), settings));
        await().atMost(Duration.ofSeconds(60)).until(() -> wait(zone).compareTo(Duration.ofMillis(890)) >= 0);
        assertThat(wire.arrivals.get()).as("real attempts").isGreaterThanOrEqualTo(4);
        assertThat(wait(zone)).isLessThanOrEqualTo(Duration.ofMillis(6700));

        wire.mend();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(zone.sync().states()).allMatch(LinkState.Connected.class::isInstance));
        Instant connected = Instant.now();
        await().until(() -> Instant.now().isAfter(connected.plusMillis(200)));
        wire.cut();
        int before = wire.arrivals.get();
        // Had the waits not become short again, three attempts of each class would take more than half a minute.
        await().atMost(Duration.ofSeconds(18)).until(() -> wire.arrivals.get() >= before + 6);
    }

    @Test
    void case26_zonesThatLostTheSameGlobalDoNotComeBackInStep() {
        Backoff backoff = new Backoff(Duration.ofSeconds(20), Duration.ofSeconds(60), 2, 0.3);
        wire.cut();
        List<ZoneNode> zones = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ZoneSettings settings = ZoneNode.settings("zone-" + i).withBackoff(backoff, Duration.ofMinutes(1));
            zones.add(opened(new ZoneNode(Samples.store(), wire.port(), settings)));
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> zones.stream().noneMatch(zone -> wait(zone).isZero()));
        assertThat(zones.stream().map(ReconnectCasesTest::wait).distinct().count())
                .isGreaterThan(90);
    }

    /** How long the zone waits for its next attempt for urgent kinds; nothing while it does not wait. */
    private static Duration wait(ZoneNode zone) {
        return zone.sync().states().stream()
                .filter(state -> state.kinds() == PriorityClass.OPERATIONAL)
                .map(state -> state instanceof LinkState.Waiting waiting ? waiting.until() : Duration.ZERO)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    @Test
    void case46_aRowThatChangedMeanwhileIsLookedAtAgain() {
        BreakableStore zoneStore = new BreakableStore();
        opened(ZoneNode.of("zone-1", zoneStore, wire.port()));
        Samples.put(global, Samples.timeout("t", 20));
        await().untilAsserted(
                        () -> assertThat(Samples.names(zoneStore, TIMEOUT)).containsExactly("t"));
        ResourceKey key = new ResourceKey(TIMEOUT, "default", "t");
        zoneStore.beforeNextCommitOf(
                TIMEOUT,
                () -> Samples.put(
                        zoneStore.unbroken(),
                        zoneStore.find(key).orElseThrow().resource().withStatus(new Document("{\"seen\":1}"))));
        Samples.put(global, Samples.timeout("t", 30));
        await().untilAsserted(() ->
                assertThat(Samples.spec(zoneStore, TIMEOUT, "default", "t")).contains("30s"));
        assertThat(zoneStore.find(key).orElseThrow().resource().status()).isEqualTo(new Document("{\"seen\":1}"));
    }

    private ZoneNode zone1() {
        return opened(ZoneNode.of("zone-1", first, wire.port()));
    }

    private void reconnect(ZoneNode zone) {
        wire.cut();
        await().until(() -> zone.sync().states().stream().anyMatch(LinkState.Waiting.class::isInstance));
        wire.mend();
        awaitConnected(zone);
    }

    private static void awaitConnected(ZoneNode zone) {
        await().until(() -> zone.sync().states().stream().allMatch(LinkState.Connected.class::isInstance));
    }

    private void awaitInStep() {
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("t");
            assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1");
        });
    }

    private static ResourceKey key(String dataplane) {
        return new ResourceKey(DATAPLANE, "default", dataplane);
    }

    private <T extends AutoCloseable> T opened(T made) {
        open.add(made);
        return made;
    }
}
