package io.parley.proxy.gateway;

import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.gateway.Calls.http1;
import static io.parley.proxy.gateway.Calls.http2;
import static io.parley.proxy.gateway.Calls.said;
import static io.parley.proxy.gateway.Gateway.h2c;
import static io.parley.proxy.gateway.Gateway.invalid;
import static io.parley.proxy.gateway.Gateway.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.SessionProtocol;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.Server;
import io.parley.proxy.http1.RecordingServer;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each backend is spoken to in the protocol that it declares. */
class ProtocolsTest {
    private final Gateway gateway = new Gateway();
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private static final EchoServer BACKEND = EchoServer.start("one");

    @AfterEach
    void close() {
        gateway.close();
    }

    @AfterAll
    static void stop() {
        BACKEND.close();
    }

    @Test
    void case01_anHttp1ClientReachesAnH2cBackend() {
        gateway.backend(h2c("app/web:80|h2c"), BACKEND.port()).http(to("/", "app/web:80|h2c"));
        AggregatedHttpResponse answer = http1(gateway.port(), "/a?b=c", "host", "shop.example");
        assertThat(answer.status()).isEqualTo(HttpStatus.OK);
        assertThat(said(answer, "protocol")).isEqualTo("HTTP/2");
        assertThat(said(answer, "path")).isEqualTo("/a?b=c");
        assertThat(said(answer, "host")).isEqualTo("shop.example");
        assertThat(said(answer, "x-forwarded-for")).isEqualTo("127.0.0.1");
    }

    @Test
    void case02_anH2cClientReachesAnH2cBackendOnTheSamePort() {
        gateway.backend(h2c("app/web:80|h2c"), BACKEND.port()).http(to("/", "app/web:80|h2c"));
        for (int i = 0; i < 3; i++) {
            assertThat(said(http2(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/2");
            assertThat(said(http1(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/2");
        }
    }

    @Test
    void case04_aBackendThatDeclaresNothingIsSpokenToInHttp1() {
        gateway.backend(Gateway.cluster("app/web:80|http1"), BACKEND.port()).http(to("/", "app/web:80|http1"));
        assertThat(said(http2(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/1");
        assertThat(said(http1(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/1");
    }

    @Test
    void case25_twoPortsOfOneServerHavePoolsOfTheirOwn() {
        gateway.backend(h2c("app/web:81|h2c"), BACKEND.port())
                .backend(Gateway.http1("app/web:80|http1"), BACKEND.port())
                .http(to("/two", "app/web:81|h2c"), to("/", "app/web:80|http1"));
        for (int i = 0; i < 10; i++) {
            assertThat(said(http1(gateway.port(), "/two"), "protocol")).isEqualTo("HTTP/2");
            assertThat(said(http1(gateway.port(), "/one"), "protocol")).isEqualTo("HTTP/1");
        }
    }

    @Test
    void case26_anInvalidBackendFailsForItsOwnShareOnly() {
        gateway.backend(h2c("a|h2c"), BACKEND.port())
                .backend(Gateway.http1("b|http1"), BACKEND.port())
                .tell(ResourceType.CLUSTER, invalid("c", 500, "rule 1, backend 2: no Service c in namespace app"))
                .http(weighted("a|h2c", 1, "b|http1", 1, "c", 1));
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            AggregatedHttpResponse answer = http1(gateway.port(), "/");
            got.add(
                    answer.status().code() == 200
                            ? said(answer, "protocol")
                            : answer.status().codeAsText());
        }
        assertThat(got)
                .containsExactly("HTTP/2", "HTTP/1", "500", "HTTP/2", "HTTP/1", "500", "HTTP/2", "HTTP/1", "500");
    }

    static Route weighted(Object... shares) {
        Route.Builder route = Route.newBuilder().setMatch(Gateway.everything());
        for (int i = 0; i < shares.length; i += 2) {
            route.getRouteBuilder()
                    .getWeightedClustersBuilder()
                    .addClusters(WeightedCluster.ClusterWeight.newBuilder()
                            .setName(shares[i].toString())
                            .setWeight(com.google.protobuf.UInt32Value.of((Integer) shares[i + 1])));
        }
        return route.build();
    }

    @Test
    void endpointsTakeTurns() {
        try (EchoServer other = EchoServer.start("two")) {
            gateway.backend(Gateway.cluster("app"), BACKEND.port(), other.port())
                    .http(to("/", "app"));
            List<String> got = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                got.add(said(http1(gateway.port(), "/"), "server"));
            }
            assertThat(got).containsExactly("one", "two", "one", "two", "one", "two");
        }
    }

    @Test
    void case27_aFlipOfTheProtocolUnderLoadFailsNoRequest() throws Exception {
        gateway.backend(Gateway.http1("app|http1"), BACKEND.port()).http(to("/", "app|http1"));
        Load load = new Load(gateway.port(), 8);
        load.awaitMore(100);
        for (int round = 0; round < 2; round++) {
            flip(h2c("app|h2c"), "app|http1", "app|h2c");
            load.awaitMore(100);
            assertThat(said(http1(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/2");
            flip(Gateway.http1("app|http1"), "app|h2c", "app|http1");
            load.awaitMore(100);
            assertThat(said(http1(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/1");
        }
        assertThat(load.finish()).as("answers other than 200").isEmpty();
    }

    /** The old cluster goes before the routes know of the new one, which is the worst order there is. */
    private void flip(io.envoyproxy.envoy.config.cluster.v3.Cluster.Builder cluster, String before, String after) {
        gateway.untell(ResourceType.CLUSTER, before)
                .untell(ResourceType.ENDPOINT, before)
                .backend(cluster, BACKEND.port())
                .http(to("/", after));
    }

    @Test
    void case27_aClusterThatChangesItsProtocolAndKeepsItsNameIsDrained() throws Exception {
        gateway.backend(Gateway.http1("app"), BACKEND.port()).http(to("/", "app"));
        Load load = new Load(gateway.port(), 4);
        load.awaitMore(100);
        gateway.tell(ResourceType.CLUSTER, h2c("app").build());
        load.awaitMore(100);
        assertThat(said(http1(gateway.port(), "/"), "protocol")).isEqualTo("HTTP/2");
        assertThat(load.finish()).isEmpty();
    }

    @Test
    void case30_aBackendThatDeclaresH2cAndSpeaksHttp1Is502WithTheReasonsWord() throws IOException {
        try (Server liar = Server.that(socket -> {
            byte[] _ = socket.getInputStream().readNBytes(24);
            socket.getOutputStream()
                    .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            byte[] _ = socket.getInputStream().readAllBytes();
        })) {
            gateway.backend(h2c("app/liar:80|h2c"), liar.port()).http(to("/", "app/liar:80|h2c"));
            AggregatedHttpResponse answer = http1(gateway.port(), "/");
            assertThat(answer.status().code()).isEqualTo(502);
            assertThat(answer.headers().get("x-parley-error")).isEqualTo("protocol-mismatch");
            assertThat(answer.contentUtf8()).isEqualTo("the service gave no valid answer\n");
            assertThat(gateway.complaint("app/liar:80|h2c")).contains("was expected to speak HTTP/2 and spoke HTTP/1");
            assertThat(gateway.metrics())
                    .contains(
                            "parley_backend_protocol_errors_total{cluster=\"app/liar:80|h2c\",expected=\"HTTP/2\"} 1");
        }
    }

    @Test
    void case30_aBackendThatDeclaresH2cAndHangsUpIs502() throws IOException {
        try (Server liar = Server.that(socket -> {
            byte[] _ = socket.getInputStream().readNBytes(24);
        })) {
            gateway.backend(h2c("liar"), liar.port()).http(to("/", "liar"));
            AggregatedHttpResponse answer = http2(gateway.port(), "/");
            assertThat(answer.status().code()).isEqualTo(502);
            assertThat(gateway.complaint("liar")).contains("HTTP/2 and spoke nothing");
        }
    }

    @Test
    void case30_aBackendThatDeclaresHttp1AndSpeaksTlsOrHttp2Is502() throws IOException {
        try (Server tls = Server.that(socket -> {
                    int _ = socket.getInputStream().read();
                    socket.getOutputStream().write(new byte[] {0x15, 3, 3, 0, 2, 2, 70});
                });
                Server frames = Server.that(socket -> {
                    int _ = socket.getInputStream().read();
                    socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
                })) {
            gateway.backend(Gateway.http1("tls"), tls.port())
                    .backend(Gateway.http1("frames"), frames.port())
                    .http(to("/tls", "tls"), to("/", "frames"));
            assertThat(http1(gateway.port(), "/tls").status().code()).isEqualTo(502);
            assertThat(gateway.complaint("tls")).contains("HTTP/1 and spoke TLS");
            AggregatedHttpResponse answer = http1(gateway.port(), "/");
            assertThat(answer.status().code()).isEqualTo(502);
            assertThat(gateway.complaint("frames")).contains("HTTP/1 and spoke HTTP/2");
        }
    }

    @Test
    void aBackendWithTwoProtocolsIsSpokenToInTheOneThatItSpeaks() throws IOException {
        try (RecordingServer old = RecordingServer.ok()) {
            gateway.backend(
                            h2c("both").setMetadata(extras(Map.of("protocols", "h2c,http1"))),
                            BACKEND.port(),
                            old.port())
                    .http(to("/", "both"));
            for (int i = 0; i < 4; i++) {
                assertThat(http1(gateway.port(), "/").status().code()).isEqualTo(200);
            }
            assertThat(old.requests()).anyMatch(request -> request.startsWith("GET / HTTP/1.1"));
            assertThat(gateway.metrics()).doesNotContain("parley_backend_protocol_errors_total{");
        }
    }

    @Test
    void case31_aServerThatLeavesGetsNothingTwiceAndNothingIsLost() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        List<String> heads = new CopyOnWriteArrayList<>();
        try (Server leaving = Server.that(socket -> {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] _ = in.readNBytes(24);
            out.write(frame(SETTINGS, 0, 0));
            boolean first = connections.incrementAndGet() == 1;
            while (true) {
                byte[] head = in.readNBytes(9);
                byte[] _ = in.readNBytes((head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff));
                if (head[3] == HEADERS && first) {
                    // The last stream that was looked at: none.
                    out.write(frame(GOAWAY, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
                    out.flush();
                    return;
                }
                if (head[3] == HEADERS) {
                    heads.add("request");
                    // :status 200 is entry 8 of the static table.
                    out.write(frame(HEADERS, END_STREAM | END_HEADERS, head[8], 0x88));
                    out.flush();
                }
            }
        })) {
            gateway.backend(h2c("leaving"), leaving.port()).http(to("/", "leaving"));
            assertThat(Calls.send(SessionProtocol.H2C, gateway.port(), HttpMethod.POST, "/", "")
                            .status()
                            .code())
                    .isEqualTo(200);
            assertThat(heads).hasSize(1);
            assertThat(connections).hasValue(2);
        }
    }

    private static byte[] frame(int type, int flags, int stream, int... payload) {
        byte[] frame = new byte[9 + payload.length];
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[8] = (byte) stream;
        for (int i = 0; i < payload.length; i++) {
            frame[9 + i] = (byte) payload[i];
        }
        return frame;
    }

    @Test
    void case31_aHundredRequestsAtATimeShareAConnection() {
        gateway.backend(h2c("app"), BACKEND.port()).http(to("/", "app"));
        var client = Calls.client(SessionProtocol.H2C, gateway.port());
        List<CompletableFuture<AggregatedHttpResponse>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(Calls.start(client, HttpMethod.POST, "/" + i, "x".repeat(1_000)));
        }
        for (int i = 0; i < 100; i++) {
            AggregatedHttpResponse answer = all.get(i).join();
            assertThat(answer.status()).isEqualTo(HttpStatus.OK);
            assertThat(said(answer, "path")).isEqualTo("/" + i);
        }
        assertThat(gateway.proxy()
                        .machinery()
                        .clusters()
                        .find("app")
                        .orElseThrow()
                        .open())
                .isLessThanOrEqualTo(2);
    }

    @Test
    void case32_fieldsAreTranslatedBetweenTheVersions() {
        gateway.backend(Gateway.http1("one"), BACKEND.port())
                .backend(h2c("two"), BACKEND.port())
                .http(to("/one", "one"), to("/", "two"));
        AggregatedHttpResponse down = http2(gateway.port(), "/one", "cookie", "a=1", "cookie", "b=2", "te", "trailers");
        assertThat(said(down, "cookie")).isEqualTo("a=1; b=2");
        assertThat(said(down, "te")).isEmpty();
        AggregatedHttpResponse up = http1(gateway.port(), "/", "connection", "x-hop", "x-hop", "1", "x-kept", "2");
        assertThat(said(up, "x-hop")).isEmpty();
        assertThat(said(up, "connection")).isEmpty();
        assertThat(said(up, "x-kept")).isEqualTo("2");
        AggregatedHttpResponse head = Calls.send(SessionProtocol.H1C, gateway.port(), HttpMethod.HEAD, "/", "");
        assertThat(head.status()).isEqualTo(HttpStatus.OK);
        assertThat(head.content().isEmpty()).isTrue();
        assertThat(Calls.http1(gateway.port(), "/status/204").status().code()).isEqualTo(204);
        assertThat(Calls.http2(gateway.port(), "/status/304").status().code()).isEqualTo(304);
    }

    @Test
    void aChangeBetweenTheFirstConnectionAndItsFirstRequestHolds() throws IOException {
        gateway.backend(Gateway.http1("app"), BACKEND.port()).http();
        try (Client early = Client.to(gateway.address(Gateway.HTTP))) {
            Awaitility.await().until(() -> gateway.connections() == 1);
            gateway.http(to("/", "app"));

            early.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(early.read(12)).isEqualTo("HTTP/1.1 200");
        }
        assertThat(http1(gateway.port(), "/").status().code()).isEqualTo(200);
    }

    @Test
    void aServiceWithoutEndpointsIs503AndNoRouteIs404() {
        gateway.backend(Gateway.http1("empty")).http(to("/empty", "empty"));
        assertThat(http1(gateway.port(), "/empty").status().code()).isEqualTo(503);
        assertThat(http1(gateway.port(), "/else").status().code()).isEqualTo(404);
    }
}
