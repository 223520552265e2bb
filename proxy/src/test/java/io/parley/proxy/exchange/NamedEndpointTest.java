package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Endpoints that have a name and no address. */
class NamedEndpointTest {
    @Test
    void aNameIsLookedUpWhenItIsDialled() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), named("localhost", server.port()));
                Client client = Client.to(proxy.address())) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 200");
        }
    }

    private static ClusterConfig named(String host, int port) {
        return new ClusterConfig(
                "app",
                List.of(Endpoint.plain(InetSocketAddress.createUnresolved(host, port))),
                ClusterConfig.Breaker.DEFAULT,
                new HttpUpstream(Version.HTTP1, null, 10_000, null, List.of()),
                new Balancing.LeastLoaded(),
                null,
                null);
    }
}
