package io.parley.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A proxy that is told all by a file, with a little of every kind of traffic, so that the JVM learns which classes that takes: bytes, HTTP/1, and HTTP/2
 * between two listeners. Such a proxy needs half the classes of one that joins a control plane, most of which are Envoy's messages.
 */
final class StaticTraining {
    private static final int REQUESTS = 50;
    private static final int CONNECTIONS = 10;

    private static final int ATTEMPTS = 1_200;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET /trained HTTP/1.1\r\nhost: trained\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok"
            .getBytes(StandardCharsets.US_ASCII);

    /** Of the whole head, which nothing but a head ends with. */
    private static final int END_OF_HEAD = 0x0d0a0d0a;

    private StaticTraining() {}

    static void run(Path data) throws IOException, InterruptedException {
        try (ServerSocket origin = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var _ = Thread.ofPlatform().daemon().start(() -> accept(origin));
            int bytes = Training.freePort();
            int http1 = Training.freePort();
            int upgraded = Training.freePort();
            int http2 = Training.freePort();
            Path file = Files.writeString(
                    data.resolve("static.yaml"), """
                        accessLog: none
                        outbound:
                          address: 127.0.0.1:0
                          destinations: listener
                          services:
                            - {name: bytes, port: 1, protocol: opaque, listen: "127.0.0.1:%2$d", endpoints: [{address: "127.0.0.1:%1$d"}]}
                            - {name: http1, port: 2, protocol: http1, listen: "127.0.0.1:%3$d", endpoints: [{address: "127.0.0.1:%1$d"}]}
                            - {name: upgraded, port: 3, protocol: http1, speaks: http2, listen: "127.0.0.1:%4$d", endpoints: [{address: "127.0.0.1:%5$d"}]}
                            - {name: http2, port: 4, protocol: http2, speaks: http1, listen: "127.0.0.1:%5$d", endpoints: [{address: "127.0.0.1:%1$d"}]}
                        """.formatted(origin.getLocalPort(), bytes, http1, upgraded, http2));
            proxy(file);
            await(http2);
            for (int port : new int[] {bytes, http1, upgraded}) {
                ask(port, REQUESTS);
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                ask(bytes, 1);
            }
        }
    }

    private static void proxy(Path file) {
        String[] command = {"proxy", "--threads", "1", "--admin", "127.0.0.1:0", "--static", file.toString()};
        var _ = Thread.ofPlatform().daemon().start(() -> Parley.run(Map.of(), System.out, System.err, command));
    }

    private static void accept(ServerSocket origin) {
        while (!origin.isClosed()) {
            try {
                Socket client = origin.accept();
                var _ = Thread.ofPlatform().daemon().start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            while (skipHead(in)) {
                client.getOutputStream().write(ANSWER);
            }
        } catch (IOException e) {
            // The proxy is gone.
        }
    }

    private static boolean skipHead(InputStream in) throws IOException {
        int last = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            last = last << 8 | b;
            if (last == END_OF_HEAD) {
                return true;
            }
        }
        return false;
    }

    /** Over one connection, so many times. */
    private static void ask(int port, int requests) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < requests; i++) {
                socket.getOutputStream().write(REQUEST);
                if (!skipHead(in) || in.readNBytes(2).length < 2) {
                    throw new IOException("no answer on port " + port + " to request " + i);
                }
            }
        }
    }

    private static void await(int port) throws IOException, InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
