package io.parley.bench.sync;

import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** {@code bench/run sync [DATAPLANES [ZONES]]}: the list of the KDS redesign document: CPU, memory, latency, bandwidth. */
public final class Main {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int CHANGES = 20;

    private final PrintStream out;
    private final int dataplanes;

    private Main(PrintStream out, int dataplanes) {
        this.out = out;
        this.dataplanes = dataplanes;
    }

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        int dataplanes = args.length > 0 ? Integer.parseInt(args[0]) : 50_000;
        int zones = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        Main main = new Main(System.out, dataplanes);
        main.out.println("| " + dataplanes + " dataplanes of one zone | delta | state of the world (v1) |");
        main.out.println("|---|---|---|");
        Figures delta = main.measure(SyncVersion.DELTA);
        Figures whole = main.measure(SyncVersion.STATE_OF_THE_WORLD);
        main.row("first sync", delta.first() + " ms", whole.first() + " ms");
        main.row("bytes of the first sync", delta.firstBytes() / 1024 + " KiB", whole.firstBytes() / 1024 + " KiB");
        main.row("one change, bytes both ways", Long.toString(delta.changeBytes()), Long.toString(whole.changeBytes()));
        main.row("one change, end to end (median)", delta.change() + " ms", whole.change() + " ms");
        main.row("CPU of both ends per change", delta.cpu() + " ms", whole.cpu() + " ms");
        main.row("heap of both ends, stores included", delta.heap() + " MiB", whole.heap() + " MiB");
        main.overtake();
        main.manyZones(zones);
        System.exit(0);
    }

    private record Figures(long first, long firstBytes, long change, long changeBytes, long cpu, long heap) {}

    private Figures measure(SyncVersion version) throws IOException {
        ResourceStore zone = Planes.store();
        Planes.fill(zone, dataplanes, i -> Planes.dataplane(i, 8080));
        try (Planes planes = new Planes()) {
            long from = System.nanoTime();
            planes.zone("zone-1", zone, version);
            await(() -> Planes.count(planes.global, Planes.DATAPLANE) == dataplanes);
            long first = millis(from);
            long firstBytes = planes.wire.bytes();
            pause(Duration.ofSeconds(3));
            List<Long> times = new ArrayList<>();
            long bytes = 0;
            long cpu = cpu();
            for (int i = 0; i < CHANGES; i++) {
                long before = planes.wire.bytes();
                times.add(change(planes, zone, i));
                pause(Duration.ofMillis(1500)); // the pace of informational kinds
                bytes += planes.wire.bytes() - before;
            }
            long perChange = (cpu() - cpu) / CHANGES / 1_000_000;
            times.sort(null);
            return new Figures(first, firstBytes, times.get(CHANGES / 2), bytes / CHANGES, perChange, heap());
        }
    }

    private static long change(Planes planes, ResourceStore zone, int index) {
        ResourceKey there = new ResourceKey(Planes.DATAPLANE, "default", "zone-1.dp-" + index);
        String port = Integer.toString(20_000 + index);
        long from = System.nanoTime();
        zone.put(Planes.dataplane(index, 20_000 + index), Expected.anything());
        await(() -> planes.global
                .find(there)
                .filter(stored -> stored.resource().spec().json().contains(port))
                .isPresent());
        return millis(from);
    }

    private void overtake() throws IOException {
        ResourceStore zone = Planes.store();
        Planes.fill(zone, dataplanes, i -> Planes.insight(i, 1));
        try (Planes planes = new Planes()) {
            planes.zone("zone-1", zone, SyncVersion.DELTA);
            await(() -> Planes.count(planes.global, Planes.INSIGHT) == dataplanes);
            pause(Duration.ofSeconds(3));
            Planes.fill(zone, dataplanes, i -> Planes.insight(i, 2));
            long from = System.nanoTime();
            zone.put(Planes.timeout("urgent", 5).withLabels(Map.of("kuma.io/origin", "zone")), Expected.anything());
            await(() -> Planes.count(planes.global, Planes.TIMEOUT) == 1);
            long policy = millis(from);
            ResourceKey last = new ResourceKey(Planes.INSIGHT, "default", "zone-1.dp-" + (dataplanes - 1));
            await(() -> planes.global
                    .find(last)
                    .filter(stored -> stored.resource().spec().json().contains("\"generation\":2"))
                    .isPresent());
            row(
                    "a policy behind " + dataplanes + " insight updates",
                    policy + " ms",
                    "insights: " + millis(from) + " ms");
        }
    }

    private void manyZones(int most) throws IOException {
        for (int zones : new int[] {most / 10, most}) {
            try (Planes planes = new Planes()) {
                Planes.fill(planes.global, 1_000, i -> Planes.timeout("p-" + i, 5));
                List<ResourceStore> stores = new ArrayList<>();
                for (int i = 0; i < zones; i++) {
                    ResourceStore store = Planes.store();
                    stores.add(store);
                    planes.zone("zone-" + i, store, SyncVersion.DELTA);
                }
                await(() -> stores.stream().allMatch(store -> Planes.count(store, Planes.TIMEOUT) == 1_000));
                long cpu = cpu();
                List<Long> times = new ArrayList<>();
                for (int i = 0; i < CHANGES; i++) {
                    ResourceKey key = new ResourceKey(Planes.TIMEOUT, "default", "p-" + i);
                    String value = 100 + i + "s";
                    long from = System.nanoTime();
                    planes.global.put(Planes.timeout("p-" + i, 100 + i), Expected.anything());
                    await(() -> stores.stream()
                            .allMatch(store -> store.find(key)
                                    .filter(stored ->
                                            stored.resource().spec().json().contains(value))
                                    .isPresent()));
                    times.add(millis(from));
                }
                times.sort(null);
                row(
                        "one policy of 1,000 to " + zones + " zones, until all have it",
                        times.get(CHANGES / 2) + " ms",
                        "CPU of all ends: " + (cpu() - cpu) / CHANGES / 1_000_000 + " ms");
            }
        }
    }

    private void row(String what, String first, String second) {
        out.println("| " + what + " | " + first + " | " + second + " |");
        out.flush();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not within " + LIMIT);
            }
            pause(Duration.ofMillis(1));
        }
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    private static long millis(long from) {
        return (System.nanoTime() - from) / 1_000_000;
    }

    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}
