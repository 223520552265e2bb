package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.agreement.sync.Origin;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Writes on all sides, under the same names, while links are cut, lose bytes one way, zones move between two global control planes and
 * control planes restart: in the end all is as the owners have it. Now and then a zone is waited for, so that its live streams carry states
 * that are changed later.
 */
class PartitionTest {
    private static final int STEPS = 250;
    private static final int NAMES = 12;
    private static final String SYNC_NAME = "parley.io/sync-name";

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ResourceStore global = Samples.store();
    private final Map<String, String> policies = new TreeMap<>();
    private final List<Zone> zones = new ArrayList<>();
    private final GlobalNode[] nodes = {node(0), node(1)};

    private GlobalNode node(int index) {
        GlobalSettings settings = GlobalNode.settings();
        return GlobalNode.on(
                global,
                GlobalSettings.of("global-" + index, settings.release())
                        .withTimes(
                                settings.health(),
                                settings.healthTimeout(),
                                settings.statusInterval(),
                                settings.idleTimeout()));
    }

    @AfterEach
    void close() {
        zones.forEach(Zone::close);
        for (GlobalNode node : nodes) {
            node.close();
        }
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
        await("seed " + seed).atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(rows(global, origin -> !(origin instanceof Origin.OfZone)))
                    .isEqualTo(policies);
            zones.forEach(this::assertInStep);
        });
    }

    private void step() {
        int choice = random.nextInt(100);
        Zone zone = zones.get(random.nextInt(zones.size()));
        if (choice < 35) {
            write(global, policies, Samples.timeout(name(), 1 + random.nextInt(1000)));
        } else if (choice < 60) {
            write(zone.store, zone.policies, Samples.zoneTimeout(name(), 1 + random.nextInt(1000)));
        } else if (choice < 82) {
            write(zone.store, zone.dataplanes, Samples.dataplane(name(), 1 + random.nextInt(1000)));
        } else if (choice < 86) {
            zone.wire.mend();
            await("seed " + seed).atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertInStep(zone));
        } else {
            disturb(zone, random.nextInt(7));
        }
    }

    private String name() {
        return "p-" + random.nextInt(NAMES);
    }

    private void disturb(Zone zone, int how) {
        switch (how) {
            case 0 -> zone.wire.cut();
            case 1 -> zone.wire.loseToGlobal();
            case 2 -> zone.wire.loseToZone();
            case 3 -> zone.wire.mend();
            case 4 -> zone.restart();
            case 5 -> zone.move();
            default -> {
                int index = random.nextInt(nodes.length);
                nodes[index].close();
                nodes[index] = node(index);
                zones.forEach(Zone::aim);
            }
        }
    }

    /** As the API would: what is a copy of another's is neither replaced nor deleted. */
    private void write(ResourceStore store, Map<String, String> model, Resource resource) {
        Optional<Stored> present = store.find(resource.key());
        boolean copy = present.isPresent()
                && !Origin.of(present.get().resource().labels()).equals(Origin.of(resource.labels()));
        if (copy) {
            return;
        }
        Expected expected =
                present.<Expected>map(row -> Expected.exactly(row.revision())).orElse(Expected.absent());
        try {
            if (random.nextInt(3) > 0) {
                store.put(resource, expected);
                model.put(resource.key().name(), resource.spec().json());
            } else if (present.isPresent()) {
                store.delete(resource.key(), expected);
                model.remove(resource.key().name());
            }
        } catch (StoreException e) {
            assertThat(e.failure()).as("a copy came in between").isInstanceOf(Failure.Conflict.class);
        }
    }

    private void assertInStep(Zone zone) {
        assertThat(rows(zone.store, Origin.Global.class::isInstance)).isEqualTo(policies);
        assertThat(rows(zone.store, Origin.OfZone.class::isInstance)).isEqualTo(zone.policies);
        assertThat(rows(global, new Origin.OfZone(zone.name)::equals)).isEqualTo(prefixed(zone.name, zone.policies));
        assertThat(rows(global, DATAPLANE, new Origin.OfZone(zone.name)::equals))
                .isEqualTo(prefixed(zone.name, zone.dataplanes));
    }

    private static Map<String, String> rows(ResourceStore store, Predicate<Origin> whose) {
        return rows(store, TIMEOUT, whose);
    }

    /** Under the names that their owner has for them: in a zone that has a policy of that name, a copy is called otherwise. */
    private static Map<String, String> rows(ResourceStore store, KindId kind, Predicate<Origin> whose) {
        Map<String, String> rows = new TreeMap<>();
        for (Stored stored : Samples.rows(store, kind)) {
            Resource resource = stored.resource();
            if (whose.test(Origin.of(resource.labels()))) {
                String name = resource.annotations()
                        .getOrDefault(SYNC_NAME, stored.key().name());
                assertThat(rows.put(name, resource.spec().json()))
                        .as("two of %s", name)
                        .isNull();
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
        final TcpForwarder wire = new TcpForwarder(nodes[0].port());
        private ZoneNode running;
        private int at;

        Zone(String name) {
            this.name = name;
            running = ZoneNode.of(name, store, wire.port());
        }

        void restart() {
            running.close();
            running = ZoneNode.of(name, store, wire.port());
        }

        /** To the other global control plane. */
        void move() {
            at = 1 - at;
            wire.cut();
            aim();
            wire.mend();
        }

        void aim() {
            wire.target(nodes[at].port());
        }

        void close() {
            running.close();
            wire.close();
        }
    }
}
