package io.parley.proxy.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.util.internal.PlatformDependent;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.exchange.Overload;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.telemetry.Phase;
import io.parley.proxy.telemetry.Phases;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where time goes, since the start: the parts of requests, the event loops, connections and those who wait for one, and memory.
 *
 * @param parts by name, in the order in which a request goes through them
 */
record TimePage(
        Overload overload,
        Map<String, Phase.Summary> parts,
        List<Phase.Summary> loops,
        Map<String, Load> clusters,
        Space space,
        Map<String, Collected> collectors) {
    /** What a cluster has to do. */
    record Load(int connections, int requests, int waiting) {}

    /** Memory in MiB; a limit below 0 is not known. */
    record Space(long heap, long heapLimit, long outside, long outsideLimit) {
        static Space now() {
            Runtime runtime = Runtime.getRuntime();
            return new Space(
                    (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                    runtime.maxMemory() >> 20,
                    PlatformDependent.usedDirectMemory() >> 20,
                    PlatformDependent.maxDirectMemory() >> 20);
        }
    }

    /** What a collector of garbage has done. */
    record Collected(long times, long millis) {}

    static TimePage of(Proxy proxy) {
        List<Phases> phases = proxy.http().phases();
        Map<String, Phase.Summary> parts = new LinkedHashMap<>();
        parts.put(
                "waiting for a connection",
                Phase.of(phases.stream().map(Phases::waiting).toList()));
        parts.put(
                "head of the answer",
                Phase.of(phases.stream().map(Phases::answering).toList()));
        parts.put(
                "rest of the answer",
                Phase.of(phases.stream().map(Phases::ending).toList()));
        parts.put("whole request", Phase.of(phases.stream().map(Phases::whole).toList()));
        Map<String, Load> clusters = new TreeMap<>();
        for (Cluster cluster : proxy.machinery().clusters().all()) {
            clusters.put(cluster.name(), new Load(cluster.open(), cluster.requests(), cluster.waiting()));
        }
        Map<String, Collected> collectors = new TreeMap<>();
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            collectors.put(bean.getName(), new Collected(bean.getCollectionCount(), bean.getCollectionTime()));
        }
        return new TimePage(
                proxy.http().overload(),
                parts,
                phases.stream().map(here -> Phase.of(List.of(here.lag()))).toList(),
                clusters,
                Space.now(),
                collectors);
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append("%-28s%12s%12s%12s%12s%12s%n"
                .formatted("milliseconds", "count", "mean", "half in", "99% in", "longest"));
        parts.forEach((name, summary) -> out.append(line(name, summary)));
        for (int i = 0; i < loops.size(); i++) {
            out.append(line("event loop " + i + " came late by", loops.get(i)));
        }
        out.append("%n%-40s%12s%12s%12s%n".formatted("cluster", "connections", "requests", "waiting"));
        clusters.forEach((name, load) ->
                out.append("%-40s%12d%12d%12d%n".formatted(name, load.connections, load.requests, load.waiting)));
        out.append("%nheap %d of %d MiB, outside %d of %d MiB%n"
                .formatted(space.heap, space.heapLimit, space.outside, space.outsideLimit));
        collectors.forEach(
                (name, done) -> out.append("garbage, %s: %d times, %d ms%n".formatted(name, done.times, done.millis)));
        return out.append("requests in flight %d, overload %s".formatted(overload.inFlight(), word()))
                .toString();
    }

    private String word() {
        return overload.level().name().toLowerCase(Locale.ROOT);
    }

    private static String line(String name, Phase.Summary of) {
        return String.format(
                Locale.ROOT,
                "%-28s%12d%12.3f%12.3f%12.3f%12.3f%n",
                name,
                of.count(),
                of.mean() / 1e3,
                of.half() / 1e3,
                of.most() / 1e3,
                of.longest() / 1e3);
    }

    ObjectNode json() {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ObjectNode requests = page.putObject("requestsMicros");
        parts.forEach((name, summary) -> put(requests.putObject(name), summary));
        ArrayNode late = page.putArray("eventLoopsLateMicros");
        loops.forEach(summary -> put(late.addObject(), summary));
        ObjectNode all = page.putObject("clusters");
        clusters.forEach((name, load) -> all.putObject(name)
                .put("connections", load.connections)
                .put("requests", load.requests)
                .put("waiting", load.waiting));
        page.putObject("memoryMebibytes")
                .put("heap", space.heap)
                .put("heapLimit", space.heapLimit)
                .put("outside", space.outside)
                .put("outsideLimit", space.outsideLimit);
        ObjectNode garbage = page.putObject("garbage");
        collectors.forEach(
                (name, done) -> garbage.putObject(name).put("times", done.times).put("millis", done.millis));
        return page.put("inFlight", overload.inFlight()).put("overload", word());
    }

    private static void put(ObjectNode to, Phase.Summary of) {
        to.put("count", of.count())
                .put("mean", of.mean())
                .put("half", of.half())
                .put("most", of.most())
                .put("longest", of.longest());
    }
}
