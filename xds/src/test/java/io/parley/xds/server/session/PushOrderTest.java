package io.parley.xds.server.session;

import static io.parley.xds.server.session.SotwProbe.names;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.listener;
import static io.parley.xds.server.snapshot.Samples.mesh;
import static io.parley.xds.server.snapshot.Samples.route;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static io.parley.xds.type.ResourceType.LISTENER;
import static io.parley.xds.type.ResourceType.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Cases S14 and S15: in what order changes reach a client of several types. */
class PushOrderTest {
    private final SotwProbe client = new SotwProbe();

    @Test
    void s14_makesBeforeItBreaks() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER).take();
        client.ask(ENDPOINT, "c1").take();
        client.ask(LISTENER).take();
        client.ask(ROUTE, "r").take();

        client.snapshot = mesh("c2", "c2");
        DiscoveryResponse made = client.next();
        assertThat(names(made))
                .as("the old cluster stays until no route uses it")
                .containsExactly("c1", "c2");
        client.quiet();
        client.ack(CLUSTER);
        client.ask(ENDPOINT, "c1", "c2");
        assertThat(client.take().getTypeUrl()).isEqualTo(ENDPOINT.url(ApiVersion.V3));
        DiscoveryResponse routed = client.next();
        assertThat(routed.getTypeUrl()).isEqualTo(ROUTE.url(ApiVersion.V3));
        client.quiet();
        client.ack(ROUTE);
        assertThat(names(client.take())).containsExactly("c2");
        client.quiet();
    }

    @Test
    void s14_keepsAClusterForAClientThatRejectedTheRouteAwayFromIt() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER).take();
        client.ask(ROUTE, "r").take();
        client.snapshot = mesh("c2", "c2");
        client.take();
        client.next();
        client.nack(ROUTE, "");
        client.quiet();
        assertThat(client.describe().getFirst().resources())
                .extracting(SubscriptionState.ResourceState::name)
                .contains("c1", "c2");
    }

    @Test
    void s14_keepsItAlsoAfterTheClientAcceptedAnotherRoute() throws Exception {
        client.snapshot = mesh("c1", "c1").with(ROUTE, ResourceSet.of(route("r", "c1"), route("s", "c1")));
        client.ask(CLUSTER).take();
        client.ask(ROUTE, "r", "s").take();
        client.snapshot = mesh("c2", "c2").with(ROUTE, ResourceSet.of(route("r", "c2"), route("s", "c1")));
        client.take();
        client.next();
        client.nack(ROUTE, "");
        client.snapshot = mesh("c2", "c2").with(ROUTE, ResourceSet.of(route("r", "c2"), route("s", "c2")));
        client.advance(Duration.ofSeconds(5));
        assertThat(names(client.take())).containsExactly("s");
        client.quiet();

        client.snapshot = mesh("c3", "c3").with(ROUTE, ResourceSet.of(route("r", "c3"), route("s", "c3")));
        assertThat(names(client.take())).as("r still leads to c1").contains("c1");
    }

    @Test
    void s14_aClientThatNamesItsClustersIsNotToldOfTheOldOnesEndWhileItAsksForTheNew() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER, "c1").take();
        client.ask(ROUTE, "r").take();
        client.snapshot = mesh("c2", "c2");
        assertThat(client.take().getTypeUrl()).isEqualTo(ROUTE.url(ApiVersion.V3));
        client.quiet();
        assertThat(names(client.ask(CLUSTER, "c1", "c2").take())).containsExactlyInAnyOrder("c1", "c2");
        client.ask(CLUSTER, "c2").quiet();
        client.advance(Duration.ofSeconds(3));
        client.quiet();
    }

    @Test
    void s14_aClientThatHoldsOnToAnOldClusterIsToldOfItsEndInTheEnd() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER, "c1").take();
        client.ask(ROUTE, "r").take();
        client.snapshot = mesh("c2", "c2");
        client.take();
        client.quiet();
        client.advance(Duration.ofSeconds(3));
        assertThat(client.take().getResourcesList()).isEmpty();
        client.snapshot = mesh("c1", "c2");
        client.take();
        client.snapshot = client.snapshot.with(CLUSTER, ResourceSet.EMPTY);
        assertThat(client.take().getResourcesList())
                .as("no route changed: at once")
                .isEmpty();
    }

    @Test
    void s14_aClientThatNeverAnswersHoldsBackOthersForAWhileOnly() {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER).next();
        client.ask(LISTENER).take();
        client.snapshot = mesh("c2", "c2").with(LISTENER, ResourceSet.of(listener("l", "r2")));
        client.quiet();
        client.advance(Duration.ofSeconds(11));
        assertThat(client.next().getTypeUrl()).isEqualTo(CLUSTER.url(ApiVersion.V3));
        client.advance(Duration.ofSeconds(11));
        assertThat(client.next().getTypeUrl()).isEqualTo(LISTENER.url(ApiVersion.V3));
    }

    @Test
    void s15_sendsEndpointsAgainAfterAChangeOfTheirCluster() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER).take();
        client.ask(ENDPOINT, "c1").take();
        client.quiet();
        client.snapshot = client.snapshot.with(CLUSTER, ResourceSet.of(cluster("c1", 9)));
        assertThat(client.take().getTypeUrl()).isEqualTo(CLUSTER.url(ApiVersion.V3));
        assertThat(names(client.take())).containsExactly("c1");
        client.quiet();
    }
}
