package io.parley.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.socket.EventLoops;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a kubelet hears of the application behind a proxy. */
class ProbeRelayTest {
    /** With so few that are listed. */
    private static final int MAX_FOR_ONE = 8;

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
                () -> TestMesh.TOLD,
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
    void aFieldThatPassesForAMembersIsNotPassedOn() throws IOException {
        assertThat(ask(
                        "GET " + probe(),
                        "L5d_Client_Id: admin",
                        "X_Forwarded_For: 10.0.0.1",
                        "X-Forwarded_For: 10.0.0.1"))
                .startsWith("HTTP/1.1 200");
        assertThat(application.requests().getFirst())
                .doesNotContainIgnoringCase("l5d_client")
                .doesNotContainIgnoringCase("10.0.0.1");
    }

    @Test
    void noMoreAreAskedAtOnceThanKubeletsNeed() throws IOException {
        try (Patience patience = new Patience()) {
            for (int caller = 1; caller <= ProbeRelay.CALLERS_AT_ONCE; caller++) {
                for (int i = 0; i < MAX_FOR_ONE; i++) {
                    patience.ask("127.0.0." + caller);
                }
            }
            assertThat(patience.refused("127.0.0.9")).startsWith("HTTP/1.1 503").contains("try again");
            patience.applications.getFirst().close();
            assertThat(patience.callers.getFirst().readAll()).startsWith("HTTP/1.1 503");
            patience.ask("127.0.0.9");
        }
    }

    @Test
    void whoeverAsksAndAsksLeavesRoomForOthers() throws IOException {
        try (Patience patience = new Patience()) {
            for (int i = 0; i < MAX_FOR_ONE; i++) {
                patience.ask("127.0.0.2");
            }
            assertThat(patience.refused("127.0.0.2")).startsWith("HTTP/1.1 503").contains("try again");
            patience.ask("127.0.0.1");
        }
    }

    @Test
    void nothingIsAskedAnyMoreForACallerThatLeaves() throws IOException {
        try (Patience patience = new Patience()) {
            for (int i = 0; i < MAX_FOR_ONE; i++) {
                patience.ask("127.0.0.1");
            }
            patience.callers.getFirst().close();
            patience.firstQuestion();
            patience.ask("127.0.0.1");
        }
    }

    @Test
    void whatFollowsAProbeIsNotKeptAndWhoSendsMuchOfItIsClosed() throws IOException {
        try (Patience patience = new Patience()) {
            Client caller = patience.ask("127.0.0.1");
            caller.send("GET /live HTTP/1.1\r\n\r\n").send(new byte[10_000]);
            assertThat(patience.firstQuestion()).doesNotContain("/live");
        }
    }

    @Test
    void withoutASocketTheOutcomeIsToldWhereItWasAskedFor() throws Exception {
        ProbeRelay relay = new ProbeRelay(List.of("80/healthz"), () -> {
            throw new ChannelException("too many open files");
        });
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/probe/80/healthz");
        try (EventLoops loop = new EventLoops(1, "kubelet", NioIoHandler.newFactory())) {
            Channel kubelet = new Bootstrap()
                    .group(loop)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(admin.address())
                    .sync()
                    .channel();
            CompletableFuture<Boolean> onItsLoop = new CompletableFuture<>();
            kubelet.eventLoop()
                    .execute(() -> relay.ask(
                            kubelet,
                            request,
                            _ -> onItsLoop.complete(kubelet.eventLoop().inEventLoop())));
            assertThat(onItsLoop).succeedsWithin(Duration.ofSeconds(15)).isEqualTo(true);
            kubelet.close().sync();
        }
    }

    /** Callers of an application that takes its time. */
    private final class Patience implements Closeable {
        private static final int PATIENCE_MILLIS = 15_000;

        private final ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        private final List<Client> callers = new ArrayList<>();
        private final List<Socket> applications = new ArrayList<>();
        private final String probe = "GET /probe/" + silent.getLocalPort() + "/healthz?full=1 HTTP/1.1\r\n\r\n";

        Patience() throws IOException {
            silent.setSoTimeout(PATIENCE_MILLIS);
            admin.close();
            admin = admin(silent.getLocalPort());
        }

        Client ask(String from) throws IOException {
            Client caller = Client.of(from, admin.address()).send(probe);
            callers.add(caller);
            Socket application = silent.accept();
            application.setSoTimeout(PATIENCE_MILLIS);
            applications.add(application);
            return caller;
        }

        /** All that the application heard of the first caller, up to the end of the connection. */
        String firstQuestion() throws IOException {
            return new String(applications.getFirst().getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }

        String refused(String from) throws IOException {
            try (Client caller = Client.of(from, admin.address())) {
                return caller.send(probe).readAll();
            }
        }

        @Override
        public void close() throws IOException {
            for (Closeable one : callers) {
                one.close();
            }
            for (Closeable one : applications) {
                one.close();
            }
            silent.close();
        }
    }
}
