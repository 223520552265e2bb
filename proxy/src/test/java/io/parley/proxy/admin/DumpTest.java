package io.parley.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.identity.certificate.Credentials;
import io.parley.proxy.Direction;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.GatewayChain;
import io.parley.proxy.config.GatewayChain.Goal;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.HealthCheck;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.UpstreamTls;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.MeshCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class DumpTest {
    private static ClusterConfig checked(int... ports) {
        Question get = new Question.Get("a.example", "/", FieldEdits.NONE, List.of(new Question.Statuses(200, 201)));
        HealthCheck check = new HealthCheck(Duration.ofMillis(20), Duration.ofSeconds(30), 1, 1, get);
        return HttpProxy.cluster("app", new HttpUpstream(Version.HTTP1, 100, null, List.of(check)), ports);
    }

    private static List<Boolean> healthy(HttpProxy proxy) {
        JsonNode endpoints = Dump.config(proxy.proxy(), TestMesh.TOLD).at("/clusters/0/endpoints");
        return StreamSupport.stream(endpoints.spliterator(), false)
                .map(endpoint -> endpoint.path("healthy").asBoolean())
                .toList();
    }

    @Test
    void showsWhichEndpointsFailTheirHealthChecks() throws IOException {
        AtomicBoolean well = new AtomicBoolean();
        try (RecordingServer sick = RecordingServer.answering(_ ->
                        "HTTP/1.1 " + (well.get() ? "200 OK" : "503 Unavailable") + "\r\ncontent-length: 0\r\n\r\n");
                RecordingServer fine = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), checked(sick.port(), fine.port()))) {
            await().untilAsserted(() -> assertThat(healthy(proxy)).containsExactly(false, true));
            well.set(true);
            await().untilAsserted(() -> assertThat(healthy(proxy)).containsExactly(true, true));
        }
    }

    @Test
    void showsNoKeyThatTheProxyHasBeenGiven() {
        try (TestMesh mesh = new TestMesh()) {
            Credentials shown = mesh.ca().issueServer(List.of("a.example"), List.of(), Duration.ofHours(1));
            Credentials own = mesh.credentials(TestMesh.CLIENT);
            MeshCredentials member = mesh.issue(TestMesh.SERVER);
            ServerTls tls = new ServerTls(List.of(shown), List.of(), null);
            GatewayChain chain =
                    new GatewayChain("chain", Set.of("a.example"), Set.of(), tls, new Goal.Bytes(List.of(), Raw.NONE));
            ListenerConfig gateway = new ListenerConfig(
                    "gateway",
                    Direction.INBOUND,
                    new InetSocketAddress(TestMesh.loopback(), 0),
                    Destinations.LISTENER,
                    new Routing.Gateway(List.of(chain)),
                    Limits.DEFAULT);
            Endpoint endpoint = new Endpoint(
                    new InetSocketAddress(TestMesh.loopback(), 1),
                    null,
                    new UpstreamTls("b.example", List.of(), List.of(), List.of(), own));
            Proxy proxy = mesh.start(
                    () -> Optional.of(member), TestMesh.config(List.of(gateway), TestMesh.cluster("app", endpoint)));

            String page =
                    Dump.config(proxy, TestMesh.TOLD) + Dump.connections(proxy).toString();

            assertThat(page).contains("a.example", "ended here", "app");
            for (Credentials each : List.of(shown, own, member.credentials())) {
                String key = Base64.getEncoder().encodeToString(each.key().getEncoded());
                assertThat(page).doesNotContain("PRIVATE").doesNotContain(key.substring(key.length() - 40));
            }
        }
    }

    @Test
    void showsTimeoutsAndAddressesAsTheStaticFileHasThem() {
        try (TestMesh mesh = new TestMesh()) {
            Proxy proxy = mesh.start(
                    TestMesh.CLIENT,
                    TestMesh.config(
                            Timeouts.DEFAULT,
                            List.of(TestMesh.outbound("app", TestMesh.declared(Protocol.DETECT))),
                            TestMesh.cluster("app", TestMesh.plain(1))));

            JsonNode page = Dump.config(proxy, TestMesh.TOLD);

            assertThat(page.at("/timeouts/serverFirstGrace").asText()).isEqualTo("50ms");
            assertThat(page.at("/timeouts/listenToSilentServers").asBoolean()).isTrue();
            assertThat(page.at("/timeouts/idle").asText()).isEqualTo("3600s");
            assertThat(page.at("/listeners/0/address").asText()).isEqualTo("127.0.0.1:0");
            assertThat(page.at("/clusters/0/endpoints/0/address").asText()).isEqualTo("127.0.0.1:1");
        }
    }

    @Test
    void showsWhichServersSpeakFirst() throws IOException {
        try (TestMesh mesh = new TestMesh();
                Server server = Server.greeting("hi")) {
            Proxy proxy = mesh.start(
                    TestMesh.CLIENT,
                    TestMesh.config(
                            List.of(TestMesh.outbound("mail", TestMesh.declared(Protocol.DETECT))),
                            TestMesh.cluster("mail", TestMesh.plain(server.port()))));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            assertThat(Dump.config(proxy, TestMesh.TOLD)
                            .at("/serversThatSpeakFirst/mail")
                            .asInt())
                    .isEqualTo(1);
        }
    }
}
