package io.parley.cli.proxyless;

import io.parley.cli.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** An application that says what it is told, and data planes in front of it. */
final class Echo {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] WORD = "hello".getBytes(StandardCharsets.US_ASCII);

    private Echo() {}

    /** Whether it is reached by this port. */
    static boolean echoes(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(WORD);
            return Arrays.equals(socket.getInputStream().readNBytes(WORD.length), WORD);
        }
    }

    static ServerSocket start() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    Thread.ofVirtual().start(() -> answer(client));
                } catch (SocketException e) {
                    return;
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        });
        return server;
    }

    private static void answer(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // The client is gone, and this connection with it.
        }
    }

    /** The manifest of a data plane whose application it is, and which calls another one. */
    static String dataplane(String name, int application, int outbound, String to) throws IOException {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %1$s
            networking:
              address: 127.0.0.1
              inbound:
                - port: %2$d
                  servicePort: %3$d
                  serviceAddress: 127.0.0.1
                  tags: {kuma.io/service: %1$s, kuma.io/protocol: tcp}
              outbound: [{port: %4$d, tags: {kuma.io/service: %5$s}}]
            """.formatted(name, FreePorts.next(), application, outbound, to);
    }
}
