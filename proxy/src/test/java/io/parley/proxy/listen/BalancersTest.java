package io.parley.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.balance.Pick;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.telemetry.Telemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers of balancing are those of the clusters that there are. */
class BalancersTest {
    private final Clusters clusters = new Clusters(Surroundings.real());
    private final Telemetry telemetry = new Telemetry(Surroundings.real().ticker());

    private static ClusterConfig cluster(String name) {
        InetAddress here = InetAddress.getLoopbackAddress();
        return new ClusterConfig(
                name,
                List.of(
                        Endpoint.plain(new InetSocketAddress(here, 80)),
                        Endpoint.plain(new InetSocketAddress(here, 81))),
                ClusterConfig.Breaker.DEFAULT);
    }

    @Test
    void theTimeThatARequestWaitedForItsConnectionIsCounted() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(List.of(Route.to("app"))),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                Client client = Client.to(proxy.address())) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 200");
            assertThat(proxy.metrics())
                    .contains("outbound_tcp_balancer_queue_latency_seconds_count{cluster=\"app\"} 1\n");
        }
    }

    @Test
    void endpointsAreCountedByWhetherTheyAreChosenFrom() {
        Balancers.count(clusters, telemetry);
        clusters.update(List.of(cluster("orders")));
        var orders = clusters.find("orders").orElseThrow();
        orders.endpoints().getFirst().healthy(false);
        assertThat(orders.pick(List.of())).isInstanceOf(Pick.Chosen.class);

        assertThat(telemetry.render())
                .contains("outbound_tcp_balancer_endpoints{cluster=\"orders\",endpoint_state=\"ready\"} 1\n")
                .contains("outbound_tcp_balancer_endpoints{cluster=\"orders\",endpoint_state=\"left_out\"} 1\n")
                .contains("outbound_tcp_balancer_p2c_endpoints{cluster=\"orders\",endpoint_state=\"ready\"} 1\n")
                .contains("outbound_tcp_balancer_p2c_endpoints{cluster=\"orders\",endpoint_state=\"pending\"} 1\n")
                .contains("outbound_tcp_balancer_open_connections{cluster=\"orders\"} 1\n")
                .contains("outbound_tcp_balancer_queue_length{cluster=\"orders\"} 1\n");
    }

    @Test
    void endpointsThatComeAndGoAreCounted() {
        Balancers.count(clusters, telemetry);
        clusters.update(List.of(cluster("orders")));
        clusters.update(List.of(new ClusterConfig(
                "orders",
                List.of(
                        Endpoint.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 81)),
                        Endpoint.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 82))),
                ClusterConfig.Breaker.DEFAULT)));

        assertThat(telemetry.render())
                .contains("# TYPE outbound_tcp_balancer_p2c_updates_total counter\n")
                .contains("outbound_tcp_balancer_p2c_updates_total{cluster=\"orders\",op=\"Add\"} 3\n")
                .contains("outbound_tcp_balancer_p2c_updates_total{cluster=\"orders\",op=\"Remove\"} 1\n");
    }

    @Test
    void requestsThatHadToWaitAreCounted() {
        Balancers.count(clusters, telemetry);
        clusters.update(List.of(cluster("orders")));
        var orders = clusters.find("orders").orElseThrow();
        assertThat(orders.mayWait()).isTrue();
        orders.waited();

        assertThat(telemetry.render())
                .contains("outbound_tcp_balancer_queue_requests_total{cluster=\"orders\"} 1\n")
                .contains("outbound_tcp_balancer_queue_length{cluster=\"orders\"} 0\n");
    }

    @Test
    void aClusterThatIsGoneHasNoNumbers() {
        Balancers.count(clusters, telemetry);
        clusters.update(List.of(cluster("orders"), cluster("gone")));
        clusters.update(List.of(cluster("orders")));

        assertThat(telemetry.render()).contains("cluster=\"orders\"").doesNotContain("cluster=\"gone\"");
    }
}
