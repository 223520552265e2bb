package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.agreement.sync.Origin;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes on all sides while links are cut, lose bytes one way, and control planes restart: in the end all is as the owners have it. */
class PartitionTest {
    private static final int STEPS = 250;
    private static final int NAMES = 12;

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ResourceStore global = Samples.store();
    private final Map<String, String> policies = new TreeMap<>();
    private final List<Zone> zones = new ArrayList<>();
    private GlobalNode node = GlobalNode.on(global);

    @AfterEach
    void close() {
        zones.forEach(Zone::close);
        node.close();
    }

    @Test
    void nothingIsLostAndNothingComesBack() {
        System.out.println("seed: -Dparley.seed=" + seed);
        zones.add(new Zone("zone-1"));
        zones.add(new Zone("zone-2"));
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        zones.forEach(zone -> zone.wire.mend());
        await("seed " + seed).atMost(Duration.ofSeconds(60)).untilAsserted(this::assertInStep);
    }

    private void step() {
        int choice = random.nextInt(100);
        Zone zone = zones.get(random.nextInt(zones.size()));
        if (choice < 35) {
            write(global, policies, Samples.timeout("p-" + random.nextInt(NAMES), 1 + random.nextInt(1000)));
        } else if (choice < 60) {
            write(
                    zone.store,
                    zone.policies,
                    Samples.zoneTimeout("z-" + random.nextInt(NAMES), 1 + random.nextInt(1000)));
        } else if (choice < 85) {
            write(
                    zone.store,
                    zone.dataplanes,
                    Samples.dataplane("d-" + random.nextInt(NAMES), 1 + random.nextInt(1000)));
        } else {
            disturb(zone, random.nextInt(6));
        }
    }

    private void disturb(Zone zone, int how) {
        switch (how) {
            case 0 -> zone.wire.cut();
            case 1 -> zone.wire.loseToGlobal();
            case 2 -> zone.wire.loseToZone();
            case 3 -> zone.wire.mend();
            case 4 -> zone.restart();
            default -> {
                node.close();
                node = GlobalNode.on(global);
                zones.forEach(each -> each.wire.target(node.port()));
            }
        }
    }

    private void write(ResourceStore store, Map<String, String> model, Resource resource) {
        String name = resource.key().name();
        if (random.nextInt(3) == 0) {
            Samples.delete(store, resource);
            model.remove(name);
        } else {
            Samples.put(store, resource);
            model.put(name, resource.spec().json());
        }
    }

    private void assertInStep() {
        assertThat(rows(global, TIMEOUT, origin -> !(origin instanceof Origin.OfZone)))
                .isEqualTo(policies);
        for (Zone zone : zones) {
            assertThat(rows(zone.store, TIMEOUT, Origin.Global.class::isInstance))
                    .isEqualTo(policies);
            assertThat(rows(zone.store, TIMEOUT, Origin.OfZone.class::isInstance))
                    .isEqualTo(zone.policies);
            assertThat(rows(global, TIMEOUT, new Origin.OfZone(zone.name)::equals))
                    .isEqualTo(prefixed(zone.name, zone.policies));
            assertThat(rows(global, DATAPLANE, new Origin.OfZone(zone.name)::equals))
                    .isEqualTo(prefixed(zone.name, zone.dataplanes));
        }
    }

    private static Map<String, String> rows(ResourceStore store, KindId kind, Predicate<Origin> whose) {
        Map<String, String> rows = new TreeMap<>();
        for (Stored stored : Samples.rows(store, kind)) {
            if (whose.test(Origin.of(stored.resource().labels()))) {
                rows.put(stored.key().name(), stored.resource().spec().json());
            }
        }
        return rows;
    }

    private static Map<String, String> prefixed(String zone, Map<String, String> model) {
        Map<String, String> there = new TreeMap<>();
        model.forEach((name, spec) -> there.put(zone + "." + name, spec));
        return there;
    }

    private final class Zone {
        final String name;
        final ResourceStore store = Samples.store();
        final Map<String, String> policies = new TreeMap<>();
        final Map<String, String> dataplanes = new TreeMap<>();
        final TcpForwarder wire = new TcpForwarder(node.port());
        private ZoneNode running;

        Zone(String name) {
            this.name = name;
            running = ZoneNode.of(name, store, wire.port());
        }

        void restart() {
            running.close();
            running = ZoneNode.of(name, store, wire.port());
        }

        void close() {
            running.close();
            wire.close();
        }
    }
}
