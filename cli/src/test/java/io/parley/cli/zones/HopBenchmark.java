package io.parley.cli.zones;

import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What a way through an ingress costs, and through an egress and an ingress, beside a service of one's own zone: a program to run by hand. All
 * of it is in one process, encrypted, and the ways take turns.
 */
public final class HopBenchmark {
    private static final int ROUNDS = 5;
    private static final int NEW_CONNECTIONS = 200;
    private static final int ROUND_TRIPS = 4_000;
    private static final byte[] WORD = "a word that comes back".getBytes(StandardCharsets.US_ASCII);

    /** One way to a server: what was measured of it, in nanoseconds. */
    private static final class Way {
        private final String name;
        private final int port;
        private final long[] greetings = new long[ROUNDS * NEW_CONNECTIONS];
        private final long[] answers = new long[ROUNDS * ROUND_TRIPS];

        Way(String name, int port) {
            this.name = name;
            this.port = port;
        }
    }

    private HopBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("hops");
        try (Application near = new Application("n");
                Application far = new Application("f");
                TwoZones zones = new TwoZones(folder)) {
            zones.offer("far-1", inbound("far", far));
            zones.ingress(FreePorts.next());
            zones.first.apply("{type: Dataplane, mesh: default, name: near-1, " + inbound("near", near) + "}");
            zones.first.join("near-1", _ -> {});
            Way own = new Way("a service of one's own zone", FreePorts.next());
            Way ingress = new Way("of another zone, by its ingress", FreePorts.next());
            zones.caller("{port: %d, tags: {kuma.io/service: near}}, {port: %d, tags: {kuma.io/service: far}}"
                    .formatted(own.port, ingress.port));
            measure(own, ingress);
            print(own);
            print(ingress);
            zones.egress(FreePorts.next(), _ -> {});
            Way both = new Way("the same, by an egress too", ingress.port);
            measure(both);
            print(both);
        }
    }

    private static String inbound(String service, Application application) throws IOException {
        return """
            networking: {address: 127.0.0.1, inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: \
            {kuma.io/service: %s, kuma.io/protocol: tcp}}]}\
            """.formatted(FreePorts.next(), application.port(), service);
    }

    private static void measure(Way... ways) throws IOException {
        for (Way way : ways) {
            await().atMost(TwoZones.PATIENCE).ignoreExceptions().until(() -> {
                try (Socket socket = greeted(way.port)) {
                    return socket.isConnected();
                }
            });
            Way warm = new Way(way.name, way.port);
            for (int round = 0; round < ROUNDS; round++) {
                run(warm, round);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Way way : ways) {
                run(way, round);
            }
        }
    }

    private static void run(Way way, int round) throws IOException {
        for (int i = 0; i < NEW_CONNECTIONS; i++) {
            long start = System.nanoTime();
            greeted(way.port).close();
            way.greetings[round * NEW_CONNECTIONS + i] = System.nanoTime() - start;
        }
        try (Socket socket = greeted(way.port)) {
            for (int i = 0; i < ROUND_TRIPS; i++) {
                long start = System.nanoTime();
                socket.getOutputStream().write(WORD);
                if (socket.getInputStream().readNBytes(WORD.length).length < WORD.length) {
                    throw new IOException("the connection ended");
                }
                way.answers[round * ROUND_TRIPS + i] = System.nanoTime() - start;
            }
        }
    }

    private static Socket greeted(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        if (socket.getInputStream().readNBytes(7).length < 7) {
            socket.close();
            throw new IOException("no greeting");
        }
        return socket;
    }

    private static void print(Way way) {
        System.out.printf(
                "%s: new connection until greeted p50 %d us, p99 %d us; round trip p50 %d us, p99 %d us%n",
                way.name,
                at(way.greetings, 0.50),
                at(way.greetings, 0.99),
                at(way.answers, 0.50),
                at(way.answers, 0.99));
    }

    private static long at(long[] nanos, double share) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) (share * (sorted.length - 1))] / 1_000;
    }
}
