package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Agreement 5 the whole way: what a Service declares is what its backend sees. */
@ExtendWith(SharedControlPlane.class)
class BackendProtocolTest {
    private static final String NAMESPACE = "protocols";
    private static final int CLIENTS = 4;
    private static final int PORT = FreePorts.next();

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.service("v1", "8080", "8081=kubernetes.io/h2c", "8082=kubernetes.io/ws");
        bed.service("v2", "8080", "8081=kubernetes.io/h2c");
        bed.gateway("edge", "- {name: http, port: %d, protocol: HTTP}".formatted(PORT));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static Request route(String name, String service, int port) {
        return route(name, "- backendRefs: [{name: %s, port: %d}]".formatted(service, port));
    }

    private static Request route(String name, String rules) {
        bed.route("HTTPRoute", name, "{name: edge}", "hostnames: [" + name + ".example]\nrules:\n" + rules.indent(2));
        return get(PORT, name + ".example", "/");
    }

    @Test
    void case01_case02_httpRouteBackendProtocolH2C() {
        Request request = route("h2c", "v1", 8081);

        bed.http().expectProtocol(request.in("h1c"), "HTTP/2.0");
        bed.http().expectProtocol(request.in("h2c"), "HTTP/2.0");
    }

    @Test
    void case04_withoutADeclarationHttp1IsSpoken() {
        Request request = route("plain", "v1", 8080);

        bed.http().expectProtocol(request.in("h1c"), "HTTP/1.1");
        bed.http().expectProtocol(request.in("h2c"), "HTTP/1.1");
    }

    @Test
    void case07_httpRouteBackendProtocolWebSocket() {
        bed.http().expectBackend(route("ws", "v1", 8082), "v1");

        Sockets.expectEchoes("h1c", "ws.example", PORT);
    }

    @Test
    void case08_withoutADeclarationWebSocketsWorkAsWell() {
        bed.http().expectBackend(route("undeclared", "v1", 8080), "v1");

        Sockets.expectEchoes("h1c", "undeclared.example", PORT);
    }

    @Test
    void case09_aWebSocketReachesAnH2cBackendByExtendedConnect() {
        bed.http().expectBackend(route("connect", "v1", 8081), "v1");

        Sockets.expectEchoes("h1c", "connect.example", PORT);
    }

    @Test
    void case10_aWebSocketOverHttp2ReachesEitherKindOfBackend() {
        bed.http().expectBackend(route("two-ws", "v1", 8082), "v1");
        bed.http().expectBackend(route("two-h2c", "v1", 8081), "v1");

        Sockets.expectEchoes("h2c", "two-ws.example", PORT);
        Sockets.expectEchoes("h2c", "two-h2c.example", PORT);
    }

    @Test
    void case12_aSecureWebSocketWithoutAPolicyIs500AndTheStatusSaysWhy() {
        bed.service("wss", "443=kubernetes.io/wss");

        bed.http().expectStatus(route("wss", "wss", 443), 500);
        bed.expectConditions(
                "httproutes", "wss", "Accepted=False/UnsupportedProtocol", "ResolvedRefs=False/UnsupportedProtocol");
        assertThat(bed.parley("explain", "backend", NAMESPACE + "/wss:443").out())
                .contains("HTTPRoute/protocols/wss: UnsupportedProtocol", "appProtocol kubernetes.io/wss");
    }

    @ParameterizedTest
    @CsvSource({
        "kubernetes.io/raw, 500",
        "kubernetes.io/foo, 500",
        "gateway.networking.k8s.io/foo, 500",
        "example.com/foo, HTTP/1.1",
        "http, HTTP/1.1",
        "HTTPS, HTTP/1.1",
        "grpc, HTTP/2.0",
        "h2c, HTTP/2.0",
        "http2, HTTP/2.0"
    })
    void case15_case16_case17_namesAreTakenAsTheTableSays(String declared, String seen) {
        bed.service("named", "80=" + declared);
        Request request = route("named", "named", 80);

        if (seen.equals("500")) {
            bed.http().expectStatus(request, 500);
            bed.expectConditions(
                    "httproutes",
                    "named",
                    "Accepted=False/UnsupportedProtocol",
                    "ResolvedRefs=False/UnsupportedProtocol");
        } else {
            bed.http().expectProtocol(request, seen);
            bed.expectConditions("httproutes", "named", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
        }
    }

    @Test
    void case21_case22_case23_slicesSpeakWhereTheServiceIsSilentAndAgreeAmongThemselves() {
        bed.service("sliced", "80");
        Request request = route("sliced", "sliced", 80);
        bed.http().expectProtocol(request, "HTTP/1.1");

        declareSlice(1, "kubernetes.io/h2c");
        bed.http().expectProtocol(request, "HTTP/2.0");

        declareSlice(2, "kubernetes.io/ws");
        bed.http().expectProtocol(request, "HTTP/1.1");

        bed.service("sliced", "80=kubernetes.io/h2c");
        bed.http().expectProtocol(request, "HTTP/2.0");
        Patience.until(
                "disagreement",
                () -> assertThat(bed.object("httproutes", NAMESPACE, "sliced").toString())
                        .contains("EndpointSlice/protocols/sliced-2"));
    }

    private static void declareSlice(int index, String protocol) {
        int port = bed.service("sliced-twin", "80").port();
        bed.apply("""
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: sliced-%d, namespace: protocols, labels: {kubernetes.io/service-name: sliced}}
            addressType: IPv4
            endpoints: [{addresses: [127.0.0.1]}]
            ports: [{name: p80, port: %d, appProtocol: %s}]
            """.formatted(index, port, protocol));
    }

    @Test
    void case24_portsOfHeadlessServicesAreFoundByNameWhateverTheirOrder() {
        int one = bed.service("one", "80").port();
        int two = bed.service("two", "80").port();
        bed.apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: headless, namespace: protocols}
            spec:
              clusterIP: None
              ports: [{name: first, port: 80}, {name: second, port: 81}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: by-hand, namespace: protocols, labels: {kubernetes.io/service-name: headless}}
            addressType: IPv4
            endpoints: [{addresses: [127.0.0.1]}]
            ports: [{name: second, port: %d}, {name: first, port: %d}]
            """.formatted(two, one));

        bed.http().expectBackend(route("first", "headless", 80), "one");
        bed.http().expectBackend(route("second", "headless", 81), "two");
    }

    @Test
    void case25_onePortThroughTwoOfTheServicesIsSpokenToInBothWays() {
        Request plain = route("both", """
            - {matches: [{path: {value: /h2c}}], backendRefs: [{name: v1, port: 8081}]}
            - {matches: [{path: {value: /}}], backendRefs: [{name: v1, port: 8082}]}
            """);
        Request h2c = get(PORT, "both.example", "/h2c");

        for (int at = 0; at < 3; at++) {
            bed.http().expectProtocol(plain, "HTTP/1.1");
            bed.http().expectProtocol(h2c, "HTTP/2.0");
        }
    }

    @Test
    void case26_theShareOfAnInvalidBackendIsAnsweredWith500() {
        Request request = route("share", """
            - backendRefs:
                - {name: v1, port: 8080}
                - {name: v2, port: 8081}
                - {name: gone, port: 8080}
            """);
        Patience.until("served", () -> assertThat(bed.http().status(request)).isNotEqualTo(404));

        assertThat(bed.http().count(30, request, answer -> answer.status().code()))
                .isEqualTo(Map.of(200, 20, 500, 10));
    }

    @Test
    void case27_aFlipUnderLoadFailsNoRequest() throws InterruptedException {
        bed.service("busy", "80");
        Request request = route("busy", "busy", 80);
        bed.http().expectStatus(request, 200);
        Map<Integer, Integer> seen = new ConcurrentSkipListMap<>();
        AtomicBoolean enough = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        for (int at = 0; at < CLIENTS; at++) {
            clients.add(Thread.ofVirtual().start(() -> {
                while (!enough.get()) {
                    seen.merge(bed.http().status(request), 1, Integer::sum);
                }
            }));
        }
        String[][] flips = {
            {"80=kubernetes.io/h2c", "HTTP/2.0"}, {"80=kubernetes.io/ws", "HTTP/1.1"}, {"80", "HTTP/1.1"}
        };
        for (String[] each : flips) {
            bed.service("busy", each[0]);
            bed.http().expectProtocol(request, each[1]);
        }
        enough.set(true);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(seen).containsOnlyKeys(200);
    }

    @Test
    void case28_theAnswerFollowsTheServiceAlthoughTheRouteDidNotChange() {
        bed.service("flip", "80");
        Request request = route("flip", "flip", 80);
        bed.http().expectProtocol(request, "HTTP/1.1");
        bed.service("flip", "80=kubernetes.io/h2c");
        bed.http().expectProtocol(request, "HTTP/2.0");

        bed.service("flip", "80=kubernetes.io/foo");
        bed.http().expectStatus(request, 500);
        bed.expectConditions(
                "httproutes", "flip", "Accepted=False/UnsupportedProtocol", "ResolvedRefs=False/UnsupportedProtocol");

        bed.service("flip", "80=kubernetes.io/ws");
        bed.http().expectProtocol(request, "HTTP/1.1");
        bed.expectConditions("httproutes", "flip", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void case29_aServiceThatComesBackOtherThanItWasIsFollowed() {
        bed.service("phoenix", "80");
        Request request = route("phoenix", "phoenix", 80);
        bed.http().expectProtocol(request, "HTTP/1.1");

        bed.delete("services", "phoenix");
        bed.http().expectStatus(request, 500);
        bed.expectConditions("httproutes", "phoenix", "Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");

        bed.service("phoenix", "80=kubernetes.io/h2c");
        bed.http().expectProtocol(request, "HTTP/2.0");
        bed.endpoint("phoenix", bed.service("other-port", "80").port(), "80=kubernetes.io/h2c");
        bed.http().expectBackend(request, "other-port");
    }

    @Test
    void case30_aBackendThatLiesIsTold() throws IOException {
        Logger log = (Logger) LoggerFactory.getLogger("io.parley.proxy.telemetry.Complaints");
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        log.addAppender(logged);
        try (ServerSocket liar = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> speakHttp1(liar));
            bed.endpoint("liar", liar.getLocalPort(), "80=kubernetes.io/h2c");
            bed.http().expect(route("liar", "liar", 80), answer -> {
                assertThat(answer.status().code()).isEqualTo(502);
                assertThat(answer.contentUtf8()).isEqualTo("the service gave no valid answer\n");
            });

            assertThat(logged.list)
                    .anySatisfy(event -> assertThat(event.getFormattedMessage())
                            .contains("protocols/liar:80|h2c", "was expected to speak HTTP/2 and spoke HTTP/1"));
            assertThat(bed.metrics("edge"))
                    .contains("parley_backend_protocol_errors_total{cluster=\"protocols/liar:80|h2c\""
                            + ",expected=\"HTTP/2\"}");
            Patience.until(
                    "explained",
                    () -> assertThat(bed.parley("explain", "backend", NAMESPACE + "/liar:80")
                                    .out())
                            .contains(
                                    "HTTPRoute/protocols/liar: speaks [h2c]",
                                    "seen by edge.protocols: unusable",
                                    "was expected to speak HTTP/2 and spoke HTTP/1"));
        } finally {
            log.detachAppender(logged);
        }
    }

    private static void speakHttp1(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                client.shutdownOutput();
                byte[] _ = client.getInputStream().readAllBytes();
            } catch (IOException _) {
                // The test is over, or the gateway went away first.
            }
        }
    }

    @Test
    void case30_aBackendThatDeclaresNothingAndSpeaksTlsIs502() {
        try (EchoBackend secure = new EchoBackend("secure", new Certificates().issue("secure.example"))) {
            bed.endpoint("secure", secure.port(), "80");

            bed.http().expectStatus(route("secure", "secure", 80), 502);
        }
    }

    @Test
    void case40_externalNamesAndUnknownPortsAreNotFound() {
        bed.apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: far, namespace: protocols}
            spec: {type: ExternalName, externalName: example.com, ports: [{port: 80}]}
            """);

        bed.http().expectStatus(route("far", "far", 80), 500);
        bed.http().expectStatus(route("portless", "v1", 9999), 500);
        for (String name : new String[] {"far", "portless"}) {
            bed.expectConditions("httproutes", name, "Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");
        }
    }
}
