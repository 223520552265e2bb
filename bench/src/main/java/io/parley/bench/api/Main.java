package io.parley.bench.api;

import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Watch;
import io.parley.store.postgres.PostgresStore;
import io.parley.store.postgres.PostgresUrl;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * {@code bench/run api [sqlite|memory|postgres://…]}: puts and lists ten thousand resources of one kind through REST; on a store that control
 * planes share, also how long it takes until the others see a change.
 */
public final class Main {
    private static final int RESOURCES = 10_000;
    private static final int WRITERS = 16;
    private static final int LISTS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String PATH = "/meshes/default/meshtimeouts";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ControlPlane controlPlane;
    private final String token;

    private Main(ControlPlane controlPlane) throws IOException {
        this.controlPlane = controlPlane;
        this.token = Files.readString(controlPlane.adminTokenFile()).strip();
    }

    public static void main(String[] args) throws Exception {
        Path data = Files.createTempDirectory("parley-bench");
        String store = args.length == 0 ? "sqlite" : args[0];
        try (ControlPlane controlPlane = ControlPlane.start(new ControlPlaneConfig(
                data,
                HostPort.parse("127.0.0.1:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                StoreChoice.parse(store),
                List.of(),
                null,
                null,
                new Mode.Standalone()))) {
            Main main = new Main(controlPlane);
            main.run();
            if (StoreChoice.parse(store) instanceof StoreChoice.Postgres(String url)) {
                main.deliver(PostgresUrl.parse(url));
            }
        }
        System.exit(0);
    }

    private void run() throws Exception {
        long before = System.nanoTime();
        putAll();
        double seconds = (System.nanoTime() - before) / 1e9;
        System.out.printf("put %d resources, %d at a time: %.0f a second%n", RESOURCES, WRITERS, RESOURCES / seconds);
        System.out.printf("list all %d in one page: %s%n", RESOURCES, percentiles("?size=10000"));
        System.out.printf("list 100 of %d: %s%n", RESOURCES, percentiles("?size=100"));
    }

    /** As another control plane has it open, of which nothing but the database is shared. */
    private void deliver(PostgresUrl url) throws Exception {
        long[] nanos = new long[LISTS];
        try (ResourceStore other = PostgresStore.open(url, Retention.DEFAULT, InstantSource.system());
                Watch watch = other.watch(other.revision())) {
            for (int i = 0; i < 2 * LISTS; i++) {
                long before = System.nanoTime();
                put("seen-elsewhere-" + i);
                watch.poll(PATIENCE);
                nanos[i % LISTS] = System.nanoTime() - before;
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                "put here until watched elsewhere: p50 %.1f ms, longest %.1f ms%n",
                nanos[LISTS / 2] / 1e6, nanos[LISTS - 1] / 1e6);
    }

    private void putAll() throws Exception {
        Semaphore places = new Semaphore(WRITERS);
        List<Future<?>> puts = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < RESOURCES; i++) {
                String name = "timeout-" + i;
                places.acquire();
                puts.add(threads.submit(() -> {
                    try {
                        put(name);
                    } finally {
                        places.release();
                    }
                    return null;
                }));
            }
            for (Future<?> put : puts) {
                put.get();
            }
        }
    }

    private void put(String name) throws IOException, InterruptedException {
        String body = """
            {"type":"MeshTimeout","mesh":"default","name":"%s","labels":{"team":"blue"},"spec":{"targetRef":{"kind":"Mesh"},\
            "to":[{"targetRef":{"kind":"Mesh"},"default":{"idleTimeout":"20s","connectionTimeout":"2s"}}]}}\
            """.formatted(name);
        HttpResponse<String> response = http.send(
                request(PATH + "/" + name)
                        .header("content-type", "application/json")
                        .PUT(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (response.statusCode() != 201) {
            throw new IllegalStateException(response.statusCode() + " " + response.body());
        }
    }

    private String percentiles(String query) throws IOException, InterruptedException {
        long[] nanos = new long[LISTS];
        int bytes = 0;
        for (int i = 0; i < 2 * LISTS; i++) {
            long before = System.nanoTime();
            bytes = http.send(request(PATH + query).build(), BodyHandlers.ofByteArray())
                    .body()
                    .length;
            nanos[i % LISTS] = System.nanoTime() - before;
        }
        Arrays.sort(nanos);
        return "p50 %d ms, p90 %d ms, %d bytes"
                .formatted(
                        TimeUnit.NANOSECONDS.toMillis(nanos[LISTS / 2]),
                        TimeUnit.NANOSECONDS.toMillis(nanos[LISTS * 9 / 10]),
                        bytes);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(controlPlane.apiUrl().resolve(path)).header("authorization", "Bearer " + token);
    }
}
