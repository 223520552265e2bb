package io.parley.bench.gateway;

import com.sun.management.OperatingSystemMXBean;
import io.parley.control.gateway.GatewayWork;
import io.parley.control.gateway.Gateways;
import io.parley.control.gateway.model.Name;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * {@code bench/run gateway [ROUTES [SERVICES]]}: one Gateway with 2,000 routes to 2,000 of 10,000 Services. One of these Services
 * changes: its protocol, then only its endpoints. Then the same over a real gateway with one route and clients.
 */
public final class Main {
    private static final String GROUP = "gateway.networking.k8s.io/";
    private static final Name GATEWAY = new Name("edge", "edge");
    private static final int ROUNDS = 200;
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final int routes;
    private final int services;
    private final AtomicReference<CountDownLatch> told = new AtomicReference<>(new CountDownLatch(0));

    private Main(int routes, int services) {
        this.routes = routes;
        this.services = services;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int routes = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
        int services = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        new Main(routes, services).run();
        System.out.println("a real gateway:");
        Flips.run();
    }

    private void run() throws InterruptedException {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            store.commit(world());
            // The first time classes are loaded and nothing is compiled: what a control plane pays at its start.
            for (String which : new String[] {"first", "again"}) {
                try (Gateways gateways = open(which, store)) {
                    gateways.settle();
                }
            }
            try (Gateways gateways = open("again", store)) {
                gateways.of(GATEWAY).watch(_ -> told.get().countDown());
                measure("another protocol", store, gateways, round -> service(7, round % 2 == 0 ? "ws" : "h2c"));
                measure("other endpoints", store, gateways, round -> slice(7, 2 + round % 2));
            }
        }
    }

    private Gateways open(String which, MemoryStore store) {
        long started = System.nanoTime();
        long cpu = PROCESS.getProcessCpuTime();
        Gateways gateways = Gateways.open(store, Clock.systemUTC(), () -> true);
        gateways.settle();
        System.out.printf(
                "%d routes, %d Services: %s made in %d ms, %d ms of CPU; %s%n",
                routes,
                services,
                which,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started),
                TimeUnit.NANOSECONDS.toMillis(PROCESS.getProcessCpuTime() - cpu),
                gateways.work());
        return gateways;
    }

    /** A change of a round. */
    private interface Round {
        Resource change(int round);
    }

    private void measure(String what, MemoryStore store, Gateways gateways, Round change) throws InterruptedException {
        long[] micros = new long[ROUNDS];
        GatewayWork before = gateways.work();
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch published = new CountDownLatch(1);
            told.set(published);
            long start = System.nanoTime();
            store.put(change.change(round), Expected.anything());
            if (!published.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gateway was not told (expected: a new snapshot)");
            }
            micros[round] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
            gateways.settle();
        }
        GatewayWork done = gateways.work().minus(before);
        Arrays.sort(micros);
        System.out.printf(
                "  %s of one Service: p50 %d us, p99 %d us until the gateway is told; per change %.1f routes resolved,"
                        + " %.1f gateways written, %.1f messages encoded%n",
                what,
                micros[ROUNDS / 2],
                micros[ROUNDS * 99 / 100],
                (double) done.routesResolved() / ROUNDS,
                (double) done.gatewaysWritten() / ROUNDS,
                (double) done.resourcesEncoded() / ROUNDS);
    }

    private List<Change> world() {
        List<Change> changes = new ArrayList<>();
        put(
                changes,
                resource(
                        GROUP + "GatewayClass", "", "parley", "{\"controllerName\":\"parley.io/gateway-controller\"}"));
        put(
                changes,
                resource(
                        GROUP + "Gateway",
                        "edge",
                        "edge",
                        "{\"gatewayClassName\":\"parley\",\"listeners\":[{\"name\":\"web\",\"port\":80,\"protocol\":\"HTTP\"}]}"));
        for (int index = 0; index < services; index++) {
            put(changes, service(index, "h2c"));
            put(changes, slice(index, 1));
        }
        for (int index = 0; index < routes; index++) {
            put(changes, resource(GROUP + "HTTPRoute", "edge", "r" + index, """
                {"parentRefs":[{"name":"edge"}],"hostnames":["h%1$d.example"],
                 "rules":[{"matches":[{"path":{"value":"/r%2$d"}}],"backendRefs":[{"name":"s%2$d","port":80}]}]}\
                """.formatted(index % 100, index)));
        }
        return changes;
    }

    private static void put(List<Change> changes, Resource resource) {
        changes.add(new Change.Put(resource, Expected.anything(), null));
    }

    private static Resource service(int index, String protocol) {
        return resource(
                "core/Service",
                "edge",
                "s" + index,
                "{\"ports\":[{\"port\":80,\"appProtocol\":\"kubernetes.io/" + protocol + "\"}]}");
    }

    private static Resource slice(int index, int last) {
        String document = "{\"endpoints\":[{\"addresses\":[\"10.0.0." + last + "\"]}],\"ports\":[{\"port\":8080}]}";
        return resource("discovery.k8s.io/EndpointSlice", "edge", "s" + index, document)
                .withLabels(Map.of("kubernetes.io/service-name", "s" + index));
    }

    private static Resource resource(String kind, String space, String name, String spec) {
        return Resource.of(new ResourceKey(new KindId(kind), space, name), new Document(spec));
    }
}
