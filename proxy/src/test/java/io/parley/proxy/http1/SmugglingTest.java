package io.parley.proxy.http1;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The corpus of attacks, through the proxy to a server that believes everything. */
class SmugglingTest {
    @Test
    void c3_everyDoubtfulRequestIsRefusedAndTheConnectionEnds() throws IOException {
        Map<String, String> corpus = Smuggling.refused();
        assertThat(corpus).hasSizeGreaterThanOrEqualTo(150);
        try (RecordingServer server = RecordingServer.ok();
                TestMesh mesh = new TestMesh()) {
            InetSocketAddress proxy = start(mesh, server);
            for (Map.Entry<String, String> input : corpus.entrySet()) {
                try (Client client = Client.to(proxy)) {
                    String answer = client.send(input.getValue()).readAll();
                    assertThat(answer).as(input.getKey()).matches("(?s)HTTP/1.1 4(00|05|14|31) .*");
                    assertThat(answer.indexOf("HTTP/1.1 ", 1))
                            .as(input.getKey())
                            .isNegative();
                }
                assertThat(server.requests()).as(input.getKey()).isEmpty();
            }
        }
    }

    @Test
    void c3_whatIsBeyondDoubtIsOneRequest() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                TestMesh mesh = new TestMesh()) {
            InetSocketAddress proxy = start(mesh, server);
            int count = 0;
            for (String input : Smuggling.accepted()) {
                try (Client client = Client.to(proxy)) {
                    assertThat(client.send(input).read(40)).as(input).endsWith("ok");
                }
                assertThat(server.requests()).as(input).hasSize(++count);
            }
        }
    }

    private static InetSocketAddress start(TestMesh mesh, RecordingServer server) {
        return mesh.start(
                        CLIENT,
                        config(
                                java.util.List.of(outbound("app", declared(Protocol.HTTP1))),
                                cluster("app", plain(server.port()))))
                .address("outbound");
    }
}
