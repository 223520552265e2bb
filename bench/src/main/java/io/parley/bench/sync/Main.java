package io.parley.bench.sync;

import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code bench/run sync [PART [DATAPLANES [ZONES]]]}: the list of the KDS redesign document: CPU, memory, latency, bandwidth. Parts are
 * {@code first}, {@code changes}, {@code overtake} and {@code zones}; all of them without one.
 */
public final class Main {
    private static final int CHANGES = 20;
    private static final List<String> PARTS = List.of("first", "changes", "overtake", "zones");

    private final Report report;
    private final int dataplanes;

    private Main(Report report, int dataplanes) {
        this.report = report;
        this.dataplanes = dataplanes;
    }

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        List<String> parts = args.length > 0 && !args[0].equals("all") ? List.of(args[0]) : PARTS;
        int dataplanes = args.length > 1 ? Integer.parseInt(args[1]) : 50_000;
        int zones = args.length > 2 ? Integer.parseInt(args[2]) : 100;
        Report report = new Report(System.out);
        Main main = new Main(report, dataplanes);
        report.head(dataplanes + " dataplanes of one zone");
        for (String part : parts) {
            switch (part) {
                case "first" -> main.firstSync();
                case "changes" -> main.changes();
                case "overtake" -> main.overtake();
                case "zones" -> new ManyZones(report, zones).run();
                default -> throw new IllegalArgumentException(part + " (expected: one of " + PARTS + ")");
            }
        }
        System.exit(0);
    }

    /** Just started, and once more when the code is compiled, as in a control plane that has run for a minute. */
    private void firstSync() throws IOException {
        First cold = firstOnly();
        First warm = firstOnly();
        report.row("first sync, just started", cold.millis() + " ms", "CPU: " + cold.cpu() + " ms");
        report.row("first sync once more, warm", warm.millis() + " ms", "CPU: " + warm.cpu() + " ms");
    }

    private void changes() throws IOException {
        Figures delta = measure(SyncVersion.DELTA);
        Figures whole = measure(SyncVersion.STATE_OF_THE_WORLD);
        report.row("first sync", delta.first().millis() + " ms", whole.first().millis() + " ms");
        report.row(
                "first sync, CPU of both ends",
                delta.first().cpu() + " ms",
                whole.first().cpu() + " ms");
        report.row(
                "bytes of the first sync",
                delta.first().kib() + " KiB",
                whole.first().kib() + " KiB");
        report.row(
                "one change, bytes both ways", Long.toString(delta.changeBytes()), Long.toString(whole.changeBytes()));
        report.row("one change, end to end (median)", delta.change() + " ms", whole.change() + " ms");
        report.row("CPU of both ends per change", delta.cpu() + " ms", whole.cpu() + " ms");
        report.row("heap of both ends, stores included", delta.heap() + " MiB", whole.heap() + " MiB");
    }

    private record First(long millis, long cpu, long kib) {}

    private record Figures(First first, long change, long changeBytes, long cpu, long heap) {}

    private First firstOnly() throws IOException {
        ResourceStore zone = Planes.store();
        Planes.fill(zone, dataplanes, i -> Planes.dataplane(i, 8080));
        try (Planes planes = new Planes()) {
            return first(planes, zone, SyncVersion.DELTA);
        }
    }

    private First first(Planes planes, ResourceStore zone, SyncVersion version) {
        long from = System.nanoTime();
        long cpu = Meter.cpu();
        planes.zone("zone-1", zone, version);
        Meter.await(() -> Planes.count(planes.global, Planes.DATAPLANE) == dataplanes);
        return new First(Meter.millis(from), (Meter.cpu() - cpu) / 1_000_000, planes.wire.bytes() / 1024);
    }

    private Figures measure(SyncVersion version) throws IOException {
        ResourceStore zone = Planes.store();
        Planes.fill(zone, dataplanes, i -> Planes.dataplane(i, 8080));
        try (Planes planes = new Planes()) {
            First first = first(planes, zone, version);
            Meter.pause(Duration.ofSeconds(3));
            List<Long> times = new ArrayList<>();
            long bytes = 0;
            long cpu = Meter.cpu();
            for (int i = 0; i < CHANGES; i++) {
                long before = planes.wire.bytes();
                times.add(change(planes, zone, i));
                Meter.pause(Duration.ofMillis(1500)); // the pace of informational kinds
                bytes += planes.wire.bytes() - before;
            }
            long perChange = (Meter.cpu() - cpu) / CHANGES / 1_000_000;
            times.sort(null);
            return new Figures(first, times.get(CHANGES / 2), bytes / CHANGES, perChange, Meter.heap());
        }
    }

    private static long change(Planes planes, ResourceStore zone, int index) {
        ResourceKey there = new ResourceKey(Planes.DATAPLANE, "default", "zone-1.dp-" + index);
        String port = Integer.toString(20_000 + index);
        long from = System.nanoTime();
        zone.put(Planes.dataplane(index, 20_000 + index), Expected.anything());
        Meter.await(() -> planes.global
                .find(there)
                .filter(stored -> stored.resource().spec().json().contains(port))
                .isPresent());
        return Meter.millis(from);
    }

    private void overtake() throws IOException {
        ResourceStore zone = Planes.store();
        Planes.fill(zone, dataplanes, i -> Planes.insight(i, 1));
        try (Planes planes = new Planes()) {
            planes.zone("zone-1", zone, SyncVersion.DELTA);
            Meter.await(() -> Planes.count(planes.global, Planes.INSIGHT) == dataplanes);
            Meter.pause(Duration.ofSeconds(3));
            Planes.fill(zone, dataplanes, i -> Planes.insight(i, 2));
            long from = System.nanoTime();
            zone.put(Planes.timeout("urgent", 5).withLabels(Map.of("kuma.io/origin", "zone")), Expected.anything());
            Meter.await(() -> Planes.count(planes.global, Planes.TIMEOUT) == 1);
            long policy = Meter.millis(from);
            ResourceKey last = new ResourceKey(Planes.INSIGHT, "default", "zone-1.dp-" + (dataplanes - 1));
            Meter.await(() -> planes.global
                    .find(last)
                    .filter(stored -> stored.resource().spec().json().contains("\"generation\":2"))
                    .isPresent());
            report.row(
                    "a policy behind " + dataplanes + " insight updates",
                    policy + " ms",
                    "insights: " + Meter.millis(from) + " ms");
        }
    }
}
