package io.parley.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.http1.RecordingServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a kubelet hears of the application behind a proxy. */
class ProbeRelayTest {
    private final TestMesh mesh = new TestMesh();
    private volatile String status = "200 OK";
    private RecordingServer application;
    private AdminServer admin;

    @BeforeEach
    void start() throws IOException {
        application = RecordingServer.answering(
                _ -> "HTTP/1.1 " + status + "\r\nLocation: /elsewhere\r\nContent-Length: 2\r\n\r\nhi");
        admin = admin(application.port());
    }

    private AdminServer admin(int port) {
        return new AdminServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new AdminServer.Visits(null, List.of(port + "/healthz?full=1")),
                mesh.start(TestMesh.SERVER, TestMesh.config(List.of())),
                () -> {});
    }

    @AfterEach
    void close() throws IOException {
        admin.close();
        mesh.close();
        application.close();
    }

    private String ask(String line, String... fields) throws IOException {
        try (Client client = Client.to(admin.address())) {
            String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            return client.send(line + " HTTP/1.1\r\n" + more + "Connection: close\r\n\r\n")
                    .readAll();
        }
    }

    private String probe() {
        return "/probe/" + application.port() + "/healthz?full=1";
    }

    @Test
    void theApplicationsStatusIsTheAnswer() throws IOException {
        assertThat(ask("GET " + probe(), "Host: 127.0.0.1:" + admin.address().getPort(), "X-Probe: yes"))
                .startsWith("HTTP/1.1 200");
        assertThat(application.requests().getFirst())
                .startsWith("GET /healthz?full=1 HTTP/1.1\r\n")
                .containsIgnoringCase("host: 127.0.0.1:" + application.port() + "\r\n")
                .containsIgnoringCase("x-probe: yes\r\n");
        status = "503 Service Unavailable";
        assertThat(ask("GET " + probe(), "Host: any.example")).startsWith("HTTP/1.1 503");
        assertThat(application.requests().getLast()).containsIgnoringCase("host: any.example\r\n");
        status = "302 Found";
        assertThat(ask("GET " + probe())).as("to a kubelet that is a success").startsWith("HTTP/1.1 200");
    }

    @Test
    void nothingIsAskedThatIsNotListed() throws IOException {
        for (String path : List.of("/healthz", "/healthz?full=1&more", "/admin", "/../healthz?full=1")) {
            assertThat(ask("GET /probe/" + application.port() + path)).as(path).startsWith("HTTP/1.1 404");
        }
        assertThat(ask("POST " + probe(), "Content-Length: 0")).startsWith("HTTP/1.1 404");
        assertThat(application.requests()).isEmpty();
    }

    @Test
    void anApplicationThatIsNotThereIsUnavailable() throws IOException {
        admin.close();
        int free;
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = nobody.getLocalPort();
        }
        admin = admin(free);
        assertThat(ask("GET /probe/" + free + "/healthz?full=1")).startsWith("HTTP/1.1 503");
    }

    @Test
    void anApplicationThatHangsUpIsUnavailable() throws IOException {
        try (ServerSocket rude = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            admin.close();
            admin = admin(rude.getLocalPort());
            Thread.ofVirtual().start(() -> {
                try {
                    rude.accept().close();
                } catch (IOException e) {
                    // The test is over.
                }
            });
            assertThat(ask("GET /probe/" + rude.getLocalPort() + "/healthz?full=1"))
                    .startsWith("HTTP/1.1 503");
        }
    }

    @Test
    void aProbesAnswerIsTheLastOfItsConnection() throws IOException {
        try (Client client = Client.to(admin.address())) {
            String question = "GET " + probe() + " HTTP/1.1\r\n\r\n";
            assertThat(client.send(question + question + "GET /live HTTP/1.1\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("connection: close\r\n")
                    .containsOnlyOnce("HTTP/1.1");
        }
        assertThat(application.requests()).hasSize(1);
    }

    @Test
    void theApplicationIsNotToldWhereAProbeComesFromByWhoeverSendsIt() throws IOException {
        assertThat(ask("GET " + probe(), "L5d-Client-Id: admin", "X-Forwarded-For: 10.0.0.1", "X-Real-IP: 10.0.0.1"))
                .startsWith("HTTP/1.1 200");
        assertThat(application.requests().getFirst())
                .doesNotContainIgnoringCase("l5d-client")
                .doesNotContainIgnoringCase("10.0.0.1");
    }

    @Test
    void noMoreAreAskedAtOnceThanAKubeletNeeds() throws IOException {
        List<Closeable> open = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            admin.close();
            admin = admin(silent.getLocalPort());
            String probe = "GET /probe/" + silent.getLocalPort() + "/healthz?full=1";
            for (int i = 0; i < ProbeRelay.MAX_AT_ONCE; i++) {
                open.add(Client.to(admin.address()).send(probe + " HTTP/1.1\r\n\r\n"));
                open.add(silent.accept());
            }
            assertThat(ask(probe)).startsWith("HTTP/1.1 503").contains("try again");
            open.get(1).close();
            assertThat(((Client) open.getFirst()).readAll()).startsWith("HTTP/1.1 503");
            open.add(Client.to(admin.address()).send(probe + " HTTP/1.1\r\n\r\n"));
            open.add(silent.accept());
        } finally {
            for (Closeable one : open) {
                one.close();
            }
        }
    }
}
