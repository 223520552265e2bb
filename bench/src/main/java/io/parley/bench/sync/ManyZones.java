package io.parley.bench.sync;

import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a change costs one global control plane and its zones, by how many there are of them, of resources, and of zones that need it. */
final class ManyZones {
    private static final int CHANGES = 20;

    private final Report report;
    private final int zones;

    ManyZones(Report report, int zones) {
        this.report = report;
        this.zones = zones;
    }

    void run() throws IOException {
        for (int policies : new int[] {1_000, 10_000}) {
            for (int many : new int[] {zones / 10, zones}) {
                measure(many, policies);
            }
        }
    }

    private void measure(int many, int policies) throws IOException {
        try (Planes planes = new Planes()) {
            Planes.fill(planes.global, policies, i -> Planes.timeout("p-" + i, 5));
            List<ResourceStore> stores = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                ResourceStore store = Planes.store();
                stores.add(store);
                planes.zone("zone-" + i, store, SyncVersion.DELTA);
            }
            Meter.await(() -> stores.stream().allMatch(store -> Planes.count(store, Planes.TIMEOUT) == policies));
            String of = "one policy of " + policies + ", " + many + " zones: ";
            Cost all = cost(i -> toAll(planes.global, stores, i));
            report.row(of + "until all have it", all.median() + " ms", "CPU of all ends: " + all.cpu() + " ms");
            Cost own = cost(i -> ofOneZone(stores.getFirst(), planes.global, i));
            report.row(
                    of + "one that a zone makes for itself",
                    own.median() + " ms",
                    "CPU of all ends: " + own.cpu() + " ms");
        }
    }

    private interface Change {
        void make(int index);
    }

    /** Of one change: the time until whoever needs it has it, and the CPU that all of the process took, in milliseconds. */
    private record Cost(long median, long cpu) {}

    private static Cost cost(Change change) {
        change.make(CHANGES); // the first one wakes what sleeps
        List<Long> times = new ArrayList<>();
        long cpu = Meter.cpu();
        for (int i = 0; i < CHANGES; i++) {
            long from = System.nanoTime();
            change.make(i);
            times.add(Meter.millis(from));
        }
        times.sort(null);
        return new Cost(times.get(CHANGES / 2), (Meter.cpu() - cpu) / CHANGES / 1_000_000);
    }

    private static void toAll(ResourceStore global, List<ResourceStore> stores, int index) {
        String value = 100 + index + "s";
        Resource changed = Planes.timeout("p-" + index, 100 + index);
        global.put(changed, Expected.anything());
        Meter.await(() -> stores.stream().allMatch(store -> has(store, changed.key(), value)));
    }

    private static void ofOneZone(ResourceStore zone, ResourceStore global, int index) {
        String name = "own-" + index;
        zone.put(Planes.timeout(name, 7).withLabels(Map.of("kuma.io/origin", "zone")), Expected.anything());
        ResourceKey there = new ResourceKey(Planes.TIMEOUT, "default", "zone-0." + name);
        Meter.await(() -> has(global, there, "7s"));
    }

    private static boolean has(ResourceStore store, ResourceKey key, String value) {
        return store.find(key)
                .filter(stored -> stored.resource().spec().json().contains(value))
                .isPresent();
    }
}
