package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy in a process of its own, which is asked to end. */
class SigtermTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void itLetsOpenConnectionsFinishAndEnds() throws Exception {
        int port = TestMesh.freePort();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (Server server = Server.echo()) {
            Process proxy = start(port, server.port());
            try {
                await().atMost(PATIENCE).until(() -> isListening(address));
                try (Client client = Client.to(address)) {
                    assertThat(client.send("one").read(3)).isEqualTo("one");
                    // ProcessHandle.destroy is SIGTERM here.
                    proxy.destroy();
                    await().atMost(PATIENCE).until(() -> !isListening(address));
                    assertThat(proxy.isAlive()).isTrue();
                    assertThat(client.send("two").read(3)).isEqualTo("two");
                }
                assertThat(proxy.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                assertThatThrownBy(() -> Client.to(address)).isInstanceOf(IOException.class);
            } finally {
                proxy.destroyForcibly();
            }
        }
    }

    @Test
    void c7_itFinishesRequestsOfEitherVersionAndEnds() throws Exception {
        int port = TestMesh.freePort();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        AtomicInteger asked = new AtomicInteger();
        var server = com.linecorp.armeria.server.Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service("/", (_, _) -> {
                    asked.incrementAndGet();
                    return HttpResponse.of(answer.thenApply(_ -> HttpResponse.of("late")));
                })
                .build();
        server.start().join();
        Process proxy = start(port, server.activeLocalPort());
        try (ClientFactory factory = ClientFactory.builder().build()) {
            await().atMost(PATIENCE).until(() -> isListening(address));
            List<CompletableFuture<AggregatedHttpResponse>> answers = Stream.of("h1c", "h2c")
                    .map(version -> WebClient.builder(version + "://127.0.0.1:" + port)
                            .factory(factory)
                            .responseTimeout(PATIENCE)
                            .build()
                            .get("/")
                            .aggregate())
                    .toList();
            await().atMost(PATIENCE).until(() -> asked.get() == 2);
            proxy.destroy();
            await().atMost(PATIENCE).until(() -> !isListening(address));
            answer.complete(HttpResponse.of("now"));
            for (CompletableFuture<AggregatedHttpResponse> one : answers) {
                assertThat(one.join().contentUtf8()).isEqualTo("late");
            }
            assertThat(proxy.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            proxy.destroyForcibly();
            server.stop().join();
        }
    }

    @Test
    void withADelayItServesOnUntilItIsAskedAgain() throws Exception {
        int port = TestMesh.freePort();
        int admin = TestMesh.freePort();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (Server server = Server.echo()) {
            Process proxy = start(port, server.port(), Integer.toString(admin), "PT10M");
            try {
                await().atMost(PATIENCE).until(() -> isReady(admin));
                proxy.destroy();
                await().atMost(PATIENCE).until(() -> !isReady(admin));
                try (Client late = Client.to(address)) {
                    assertThat(late.send("late").read(4)).isEqualTo("late");
                }
                assertThat(proxy.isAlive()).isTrue();
                proxy.destroy();
                assertThat(proxy.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } finally {
                proxy.destroyForcibly();
            }
        }
    }

    @Test
    void askedAgainWhileItDrainsItEndsAtOnce() throws Exception {
        int port = TestMesh.freePort();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (Server server = Server.echo()) {
            Process proxy = start(port, server.port());
            try {
                await().atMost(PATIENCE).until(() -> isListening(address));
                try (Client client = Client.to(address)) {
                    assertThat(client.send("one").read(3)).isEqualTo("one");
                    // This one leaves the process's output open.
                    proxy.toHandle().destroy();
                    await().atMost(PATIENCE).until(() -> !isListening(address));
                    assertThat(client.send("two").read(3)).isEqualTo("two");
                    proxy.toHandle().destroy();
                    String log = new String(proxy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(proxy.waitFor()).isEqualTo(143);
                    assertThat(log)
                            .contains("told to end again: ends at once, 1 connections are cut")
                            .doesNotContain("cut after");
                }
            } finally {
                proxy.destroyForcibly();
            }
        }
    }

    private static boolean isReady(int admin) throws IOException {
        try (Client client = Client.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), admin))) {
            client.send("GET /ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            return client.readAll().startsWith("HTTP/1.1 200");
        } catch (ConnectException e) {
            return false;
        }
    }

    private Process start(int port, int server, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("proxy.yaml"), """
            accessLog: none
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: app, port: 7, listen: "127.0.0.1:%d", endpoints: [{address: "127.0.0.1:%d"}]}
            """.formatted(port, server));
        return new ProcessBuilder(java(file, more)).redirectErrorStream(true).start();
    }

    private static boolean isListening(InetSocketAddress address) {
        try (Client _ = Client.to(address)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> java(Path file, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                SigtermTest.class.getName(),
                file.toString()));
        command.addAll(List.of(more));
        return command;
    }

    /** The process: its file, and if there are any the port of its admin page and the delay before it drains. */
    public static void main(String[] arguments) throws InterruptedException {
        boolean isSaid = arguments.length > 1;
        int admin = isSaid ? Integer.parseInt(arguments[1]) : 0;
        var overrides = new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), admin), null)
                .drainingAfter(isSaid ? Duration.parse(arguments[2]) : Duration.ZERO);
        var options = new ProxyProgram.Options(new Origin.StaticFile(Path.of(arguments[0])), overrides, 1);
        ProxyProgram.run(options, Surroundings.real(), System.out);
    }
}
