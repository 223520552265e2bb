package io.parley.cli.proxyless;

import static io.parley.cli.proxyless.MixedMesh.freePort;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.ProxyProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy that speaks nothing but xDS gets its certificate from the control plane's secrets. */
class SecretsByXdsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] WORD = "hello".getBytes(StandardCharsets.US_ASCII);

    @Test
    void membersByXdsAndByTheLinkCallEachOtherInAStrictMesh(@TempDir Path folder) throws Exception {
        try (ServerSocket echo = echo();
                MixedMesh mesh = new MixedMesh(folder)) {
            int toXds = freePort();
            int toLink = freePort();
            mesh.apply(dataplane("by-xds", echo.getLocalPort(), toLink, "by-link")
                    + dataplane("by-link", echo.getLocalPort(), toXds, "by-xds"));
            var _ = mesh.join("by-link");
            try (ProxyProgram _ = mesh.joinByXds("by-xds")) {
                await().atMost(PATIENCE).ignoreExceptions().until(() -> echoes(toXds));
                await().atMost(PATIENCE).ignoreExceptions().until(() -> echoes(toLink));
            }
        }
    }

    private static boolean echoes(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(WORD);
            return Arrays.equals(socket.getInputStream().readNBytes(WORD.length), WORD);
        }
    }

    private static ServerSocket echo() throws IOException {
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

    private static String dataplane(String name, int application, int outbound, String to) throws IOException {
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
            """.formatted(name, freePort(), application, outbound, to);
    }
}
