package io.parley.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.resource.Document;
import io.parley.sync.status.ZoneInsights;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a global control plane or a zone while each sends the other thousands of policies, all of them new: twice here, more
 * with {@code -Dparley.zones.rounds} ({@code bench/crash-zones}). When to kill is told by the bytes that have passed, so that kills fall
 * into the middle on machines of any speed.
 */
class ZonesCrashIT {
    private static final int ROUNDS = Integer.getInteger("parley.zones.rounds", 2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String BY_GLOBAL = "g";
    private static final String BY_ZONE = "z";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** By which end was looked at and what it then had. */
    private final Map<String, Integer> seen = new TreeMap<>();

    private int inTheMiddle;

    @Test
    void case21_noKindIsHalfAppliedWhoeverIsKilledAndAllIsCaughtUp(@TempDir Path folder) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Path global = Files.createDirectories(folder.resolve("global"));
        Path zone = Files.createDirectories(folder.resolve("zone"));
        try {
            write(global, zone, 1);
            long whole = exchange(global, zone, 1);
            for (int round = 2; round <= ROUNDS + 1; round++) {
                write(global, zone, round);
                long passed = killOne(global, zone, random, whole / 10 + random.nextLong(whole));
                boolean below = look("zone", Generations.verify(zone, BY_GLOBAL), round);
                boolean above = look("global", Generations.verify(global, "zone-1." + BY_ZONE), round);
                inTheMiddle += passed > whole / 20 && !(below && above) ? 1 : 0;
            }
            exchange(global, zone, ROUNDS + 1);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
        System.out.println(ROUNDS + " kills of global or zone while " + Generations.MOST + " policies go each way, "
                + inTheMiddle + " of them in the middle: " + seen + "; then all was caught up");
        if (ROUNDS >= 20) {
            assertThat(inTheMiddle).isGreaterThan(ROUNDS / 2);
        }
    }

    @Test
    void case47_aZoneThatWasKilledIsOfflineAndSoIsOneWhoseGlobalDiedWithIt(@TempDir Path folder) throws Exception {
        Path global = Files.createDirectories(folder.resolve("global"));
        Path zone = Files.createDirectories(folder.resolve("zone"));
        Generations.write(global, BY_GLOBAL, Map.of(), 1);
        long lives = run(global, zone, Long.MAX_VALUE, (above, below, tap) -> {
            awaitZone(above, insight -> insight.contains("\"MeshTimeout\":{\"responsesSent\":") && isOnline(insight));
            below.kill();
            awaitZone(above, insight -> !isOnline(insight));
            return 1;
        });
        lives += run(global, zone, Long.MAX_VALUE, (above, _, _) -> {
            awaitZone(above, ZonesCrashIT::isOnline);
            above.kill(); // before its zone, which then has nobody to say goodbye to
            return 1;
        });
        assertThat(lives).isEqualTo(2);
        ControlPlaneProcess alone = ControlPlaneProcess.start(global, "--mode", "global");
        try {
            awaitZone(alone, insight -> insight.contains("zone-1") && !isOnline(insight));
        } finally {
            alone.kill();
        }
    }

    private static void awaitZone(ControlPlaneProcess global, Predicate<String> condition) {
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> send(global, HttpRequest.newBuilder(global.api().resolve("/zone-insights/zone-1"))),
                        condition);
    }

    private static boolean isOnline(String insight) {
        return ZoneInsights.isOnline(new Document(insight));
    }

    private static void write(Path global, Path zone, int generation) {
        Generations.write(global, BY_GLOBAL, Map.of(), generation);
        Generations.write(zone, BY_ZONE, Map.of("kuma.io/origin", "zone"), generation);
    }

    private interface Running {
        long with(ControlPlaneProcess above, ControlPlaneProcess below, Tap tap) throws Exception;
    }

    /** Lets them run until each has all of the other's, which is checked when they have stopped; how many bytes that took. */
    private static long exchange(Path global, Path zone, int generation) throws Exception {
        long passed = run(global, zone, Long.MAX_VALUE, (above, below, tap) -> {
            String expected = "\"total\":" + 2 * Generations.size(generation);
            for (ControlPlaneProcess each : List.of(above, below)) {
                await().atMost(PATIENCE).until(() -> members(each, generation).contains(expected));
            }
            return tap.passed();
        });
        assertThat(Generations.verify(zone, BY_GLOBAL)).isEqualTo(generation);
        assertThat(Generations.verify(global, "zone-1." + BY_ZONE)).isEqualTo(generation);
        return passed;
    }

    /** How many bytes had passed when one of them was killed. */
    private static long killOne(Path global, Path zone, Random random, long mark) throws Exception {
        return run(global, zone, mark, (above, below, tap) -> {
            // A mark beyond what there is to say is a kill when all is said.
            var _ = tap.awaitMark(Duration.ofSeconds(15));
            (random.nextBoolean() ? above : below).kill();
            return tap.passed();
        });
    }

    private static long run(Path global, Path zone, long mark, Running running) throws Exception {
        ControlPlaneProcess above = ControlPlaneProcess.start(global, "--mode", "global");
        try (Tap tap = new Tap(above.machinePort(), mark)) {
            ControlPlaneProcess below = ControlPlaneProcess.start(
                    zone,
                    "--mode=zone",
                    "--zone=zone-1",
                    "--global=grpcs://127.0.0.1:" + tap.port(),
                    "--global-ca=" + global.resolve("ca.pem"),
                    "--token=" + token(above, global));
            try {
                return running.with(above, below, tap);
            } finally {
                below.kill();
            }
        } finally {
            above.kill();
        }
    }

    private boolean look(String at, int generation, int round) {
        assertThat(generation).isBetween(1, round);
        boolean applied = generation == round;
        seen.merge(at + (applied ? " had it all" : " had none of it"), 1, Integer::sum);
        return applied;
    }

    /** The policies of a generation, one's own and copies, as the API lists them. */
    private static String members(ControlPlaneProcess of, int generation) throws IOException, InterruptedException {
        return send(
                of,
                HttpRequest.newBuilder(
                        of.api().resolve("/meshes/default/meshtimeouts?size=1&label=generation%3D" + generation)));
    }

    private static Path token(ControlPlaneProcess global, Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("zone-1.token");
        if (!Files.exists(file)) {
            String answer = send(
                    global,
                    HttpRequest.newBuilder(global.api().resolve("/tokens/zone"))
                            .header("content-type", "application/json")
                            .POST(BodyPublishers.ofString("{\"zone\":\"zone-1\"}")));
            Files.writeString(file, answer.replaceAll(".*\"token\":\"([^\"]+)\".*", "$1"));
        }
        return file;
    }

    private static String send(ControlPlaneProcess to, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return HTTP.send(request.header("authorization", "Bearer " + to.token()).build(), BodyHandlers.ofString())
                .body();
    }
}
