package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A peer whose machine has vanished says nothing, not even that it is gone; so the kernel asks, on both sides. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the kernel's table of connections is read")
class KeepAliveTest {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String KEEP_ALIVE = "02";

    @Test
    void silentClientsAndServersAreAsked() throws IOException {
        try (TestMesh mesh = new TestMesh();
                Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(List.of(outbound("app", declared(Protocol.OPAQUE))), cluster("app", plain(server.port()))));
            int port = proxy.address("outbound").getPort();
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("ping").read(4)).isEqualTo("ping");
                // The timer of what was just sent may still run.
                await().until(() -> timer(port, client.socket().getLocalPort()).equals(KEEP_ALIVE));
                await().until(() -> timer(-1, server.port()).equals(KEEP_ALIVE));
            }
        }
    }

    @Test
    void soAreThoseOfAConnectionOnWhichNobodyHasSpokenYet() throws IOException {
        try (TestMesh mesh = new TestMesh();
                Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(List.of(outbound("app", declared(Protocol.DETECT))), cluster("app", plain(server.port()))));
            int port = proxy.address("outbound").getPort();
            try (Client client = Client.to(proxy.address("outbound"))) {
                await().until(() -> timer(port, client.socket().getLocalPort()).equals(KEEP_ALIVE));
                await().until(() -> timer(-1, server.port()).equals(KEEP_ALIVE));
            }
        }
    }

    /** Which timer of the kernel runs for the connection from a port, or any, to another. */
    private static String timer(int from, int to) {
        return TABLES.stream()
                .flatMap(table -> lines(table).stream())
                .map(line -> line.strip().split("\\s+"))
                .filter(row ->
                        row[3].equals("01") && (from < 0 || row[1].endsWith(hex(from))) && row[2].endsWith(hex(to)))
                .map(row -> row[5].substring(0, 2))
                .findFirst()
                .orElse("");
    }

    private static List<String> lines(Path table) {
        try {
            return Files.exists(table) ? Files.readAllLines(table) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hex(int port) {
        return String.format(Locale.ROOT, ":%04X", port);
    }
}
