package io.parley.cli.zones;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the design document: a policy of global for all dataplanes, and one of a zone for those that it has. */
class ZoneBeatsGlobalTest {
    private static final byte[] WORD = "hello".getBytes(StandardCharsets.US_ASCII);

    @Test
    void aConnectionIsIdleForTenSecondsAsItsZoneSaysAndNotForTwentyAsGlobalDoes(@TempDir Path folder)
            throws IOException {
        int service = FreePorts.next();
        try (Application echo = new Application("echo");
                TwoZones zones = new TwoZones(folder)) {
            zones.global.apply(timeout("timeout-global", "{}", "20s"));
            zones.first.apply(timeout("timeout-zone", "{kuma.io/origin: zone}", "10s"));
            await().atMost(TwoZones.PATIENCE).until(() -> policies(zones).contains("\"20s\""));
            zones.first.apply("""
                type: Dataplane
                mesh: default
                name: echo-1
                networking:
                  address: 127.0.0.1
                  inbound:
                    - port: %d
                      servicePort: %d
                      serviceAddress: 127.0.0.1
                      tags: {kuma.io/service: echo, kuma.io/protocol: tcp}
                """.formatted(FreePorts.next(), echo.port()));
            zones.first.join("echo-1", _ -> {});
            zones.caller("{port: %d, tags: {kuma.io/service: echo}}".formatted(service));
            await().atMost(TwoZones.PATIENCE).ignoreExceptions().until(() -> {
                try (Socket socket = greeted(service, echo)) {
                    return socket.isConnected();
                }
            });

            try (Socket socket = greeted(service, echo)) {
                socket.getOutputStream().write(WORD);
                assertThat(socket.getInputStream().readNBytes(WORD.length)).isEqualTo(WORD);
                long silent = System.nanoTime();
                assertThat(awaitEnd(socket)).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - silent))
                        .isBetween(Duration.ofMillis(9_500), Duration.ofSeconds(19));
            }
        }
    }

    private static String policies(TwoZones zones) {
        return zones.first.api().get("/meshes/default/meshtimeouts").body().toString();
    }

    private static String timeout(String name, String labels, String idle) {
        return """
            type: MeshTimeout
            mesh: default
            name: %s
            labels: %s
            spec:
              targetRef: {kind: Mesh}
              to: [{targetRef: {kind: Mesh}, default: {idleTimeout: %s, connectionTimeout: 2s}}]
            """.formatted(name, labels, idle);
    }

    private static Socket greeted(int port, Application echo) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TwoZones.PATIENCE.toMillis());
        byte[] greeting = socket.getInputStream().readNBytes(echo.greeting().length());
        if (greeting.length < echo.greeting().length()) {
            socket.close();
            throw new IOException("closed before the greeting");
        }
        return socket;
    }

    private static boolean awaitEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException e) {
            return true;
        }
    }
}
