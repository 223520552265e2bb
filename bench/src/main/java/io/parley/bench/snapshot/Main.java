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
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    public static void main(String[] args) throws InterruptedException {
        for (String size : (args.length == 0 ? "500,5000" : args[0]).split(",", -1)) {
            new Main(Integer.parseInt(size)).run();
        }
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
