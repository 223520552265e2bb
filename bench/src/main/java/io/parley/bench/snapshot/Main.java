package io.parley.bench.snapshot;

import io.parley.control.snapshot.ProxyKey;
import io.parley.control.snapshot.ProxySnapshots;
import io.parley.control.snapshot.Work;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * {@code bench/run snapshot [500,5000]}: one endpoint of one service changes. Ten proxies stand for each service and call five
 * others, so that fifty proxies are to be told, however many there are.
 */
public final class Main {
    private static final KindId DATAPLANE = new KindId("Dataplane");
    private static final int PER_SERVICE = 10;
    private static final int CALLED = 5;
    private static final int ROUNDS = 200;

    private final int proxies;
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicReference<CountDownLatch> expected = new AtomicReference<>(new CountDownLatch(0));

    private Main(int proxies) {
        this.proxies = proxies;
    }

    public static void main(String[] args) throws InterruptedException, IOException {
        for (String size : (args.length == 0 ? "500,5000" : args[0]).split(",", -1)) {
            Main main = new Main(Integer.parseInt(size));
            main.run();
            main.runLinked();
        }
    }

    /** The same through a whole control plane: all who use the service and as many others are linked to it. */
    private void runLinked() throws InterruptedException, IOException {
        Path folder = Files.createTempDirectory("parley-bench");
        int users = PER_SERVICE * CALLED;
        try (LinkedProxies linked = new LinkedProxies(folder)) {
            for (int index = 0; index < proxies; index++) {
                linked.put(dataplane(index, "Ready"));
            }
            Set<String> ready = ConcurrentHashMap.newKeySet();
            // Those of the last five services call the first; those after the first do not.
            List<String> names = new ArrayList<>();
            for (int i = 0; i < users; i++) {
                names.add("dp-" + (proxies - 1 - i));
                names.add("dp-" + (PER_SERVICE + i));
            }
            for (String name : names) {
                linked.link(name, (node, type) -> {
                    ready.add(node + type);
                    told.incrementAndGet();
                    expected.get().countDown();
                });
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (ready.size() < names.size() * 4 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            measureLinked(linked, users);
        } finally {
            LinkedProxies.remove(folder);
        }
    }

    private void measureLinked(LinkedProxies linked, int users) throws InterruptedException, IOException {
        long[] micros = new long[ROUNDS];
        TimeUnit.SECONDS.sleep(2);
        told.set(0);
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch all = new CountDownLatch(users);
            expected.set(all);
            long before = System.nanoTime();
            linked.put(dataplane(0, round % 2 == 0 ? "NotReady" : "Ready"));
            if (!all.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("only " + told + " proxies were told (expected: " + users + ")");
            }
            micros[round] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - before);
        }
        TimeUnit.SECONDS.sleep(2);
        Arrays.sort(micros);
        System.out.printf(
                "  the same over %d links, from the write by the API: p50 %d us, p99 %d us until the last of %d has it;"
                        + " others told: %d%n",
                2 * users, micros[ROUNDS / 2], micros[ROUNDS * 99 / 100], users, told.get() - users * ROUNDS);
    }

    private void run() throws InterruptedException {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            fill(store);
            long opened = System.nanoTime();
            try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
                watchAll(snapshots);
                snapshots.settle();
                System.out.printf(
                        "%d proxies: all made in %d ms, %s%n",
                        proxies, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - opened), snapshots.work());
                measure(store, snapshots);
            }
        }
    }

    private void watchAll(ProxySnapshots snapshots) {
        for (int index = 0; index < proxies; index++) {
            snapshots.of(new ProxyKey("default", "dp-" + index)).watch(_ -> {
                told.incrementAndGet();
                expected.get().countDown();
            });
        }
    }

    private void measure(MemoryStore store, ProxySnapshots snapshots) throws InterruptedException {
        int users = PER_SERVICE * CALLED;
        long[] micros = new long[ROUNDS];
        Work work = snapshots.work();
        told.set(0);
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch all = new CountDownLatch(users);
            expected.set(all);
            long before = System.nanoTime();
            // Only whether it is healthy changes, so that the proxy's own listeners stay as they are.
            store.put(dataplane(0, round % 2 == 0 ? "NotReady" : "Ready"), Expected.anything());
            if (!all.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("only " + told + " proxies were told (expected: " + users + ")");
            }
            snapshots.settle();
            micros[round] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - before);
        }
        Work done = snapshots.work().minus(work);
        Arrays.sort(micros);
        System.out.printf(
                "  one endpoint change: p50 %d us, p99 %d us until the last of %d proxies is told; others told: %d%n",
                micros[ROUNDS / 2], micros[ROUNDS * 99 / 100], users, told.get() - users * ROUNDS);
        System.out.printf(
                "  work per change: %.1f proxies made, %.1f with new endpoints, %.1f resources encoded, %.1f snapshots"
                        + " published%n",
                (double) done.proxiesBuilt() / ROUNDS,
                (double) done.endpointsReplaced() / ROUNDS,
                (double) done.resourcesEncoded() / ROUNDS,
                (double) done.published() / ROUNDS);
    }

    private void fill(MemoryStore store) {
        List<Change> changes = new ArrayList<>();
        for (int index = 0; index < proxies; index++) {
            changes.add(new Change.Put(dataplane(index, "Ready"), Expected.anything(), null));
        }
        store.commit(changes);
    }

    private Resource dataplane(int index, String state) {
        int services = proxies / PER_SERVICE;
        int service = index / PER_SERVICE;
        StringBuilder outbound = new StringBuilder();
        for (int called = 1; called <= CALLED; called++) {
            outbound.append(called == 1 ? "" : ",")
                    .append("{\"port\":")
                    .append(9000 + called)
                    .append(",\"tags\":{\"kuma.io/service\":\"s")
                    .append((service + called) % services)
                    .append("\"}}");
        }
        String address = "10." + index / 65536 + "." + index / 256 % 256 + "." + index % 256;
        return Resource.of(
                new ResourceKey(DATAPLANE, "default", "dp-" + index),
                new Document("{\"networking\":{\"address\":\"" + address + "\",\"inbound\":[{\"port\":8080,\"state\":\""
                        + state + "\",\"tags\":{\"kuma.io/service\":\"s" + service
                        + "\",\"kuma.io/protocol\":\"http\"}}],\"outbound\":[" + outbound + "]}}"));
    }
}
