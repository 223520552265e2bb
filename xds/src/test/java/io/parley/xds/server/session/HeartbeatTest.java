package io.parley.xds.server.session;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case S21 on state-of-the-world streams: what expires is kept alive, and nothing else is harmed by it. */
class HeartbeatTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final ResourceSet endpoints = ResourceSet.of(endpoints("a", 1).expiringAfter(TTL), endpoints("b", 1));
    private final SotwProbe envoy = new SotwProbe(
            new ClientTraits(
                    ClientTraits.EmptyList.MAY_BE_WILDCARD,
                    ClientTraits.Names.NARROW,
                    ClientTraits.Expiry.UNDERSTOOD,
                    ClientTraits.Wrapping.UNDERSTOOD,
                    ClientTraits.Warming.NEEDED),
            SessionLimits.DEFAULT);

    /** Envoy takes a resource without a body for a heartbeat only if the answer bears the version that it accepted last. */
    @Test
    void s21_aHeartbeatBearsTheVersionThatTheClientIsAt() throws Exception {
        envoy.snapshot = Snapshot.EMPTY.with(ENDPOINT, endpoints);
        String accepted = envoy.ask(ENDPOINT, "a").take().getVersionInfo();
        envoy.snapshot = Snapshot.EMPTY.with(ENDPOINT, endpoints.with(endpoints("b", 2)));
        envoy.quiet();
        envoy.advance(TTL.dividedBy(2));

        DiscoveryResponse beat = envoy.take();

        assertThat(beat.getVersionInfo()).isEqualTo(accepted);
        assertThat(wrapped(beat)).singleElement().satisfies(resource -> {
            assertThat(resource.getName()).isEqualTo("a");
            assertThat(resource.hasResource()).isFalse();
            assertThat(resource.getTtl().getSeconds()).isEqualTo(TTL.toSeconds());
        });
        envoy.quiet();
    }

    @Test
    void s21_whereAbsenceMeansDeletionTheWholeStateIsSent() throws Exception {
        envoy.snapshot =
                Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a").expiringAfter(TTL), cluster("b")));
        DiscoveryResponse all = envoy.ask(CLUSTER).take();
        envoy.advance(TTL.dividedBy(2));

        DiscoveryResponse beat = envoy.take();

        assertThat(beat.getResourcesList()).isEqualTo(all.getResourcesList()).hasSize(2);
        assertThat(beat.getVersionInfo()).isEqualTo(all.getVersionInfo());
        envoy.quiet();
    }

    /** Its time to live has been running since before it came: nobody else would keep it from forgetting. */
    @Test
    void s21_aClientThatComesBackWithAllOfItIsKeptAliveAtOnce() {
        ResourceSet clusters = ResourceSet.of(cluster("a").expiringAfter(TTL), cluster("b"));
        envoy.snapshot = Snapshot.EMPTY.with(CLUSTER, clusters);
        envoy.reconnect(CLUSTER, clusters.version());

        DiscoveryResponse beat = envoy.take();

        assertThat(beat.getResourcesList()).hasSize(2);
        assertThat(beat.getVersionInfo()).isEqualTo(clusters.version());
        envoy.quiet();
        envoy.advance(TTL.dividedBy(2));
        assertThat(envoy.take().getResourcesList()).hasSize(2);
    }

    @Test
    void s21_nothingIsSaidOfWhatTheClientHasGivenUp() {
        envoy.snapshot = Snapshot.EMPTY.with(ENDPOINT, endpoints);
        envoy.ask(ENDPOINT, "a").take();
        envoy.ask(ENDPOINT);
        envoy.advance(TTL.dividedBy(2));
        envoy.quiet();
    }

    @Test
    void s21_aHeartbeatThatIsAcceptedDoesNotMakeARejectionGoodAgain() {
        envoy.snapshot = Snapshot.EMPTY.with(ENDPOINT, endpoints);
        String good = envoy.ask(ENDPOINT, "a").take().getVersionInfo();
        envoy.snapshot =
                Snapshot.EMPTY.with(ENDPOINT, endpoints.with(endpoints("a", 2).expiringAfter(TTL)));
        envoy.next();
        envoy.nack(ENDPOINT, good);
        envoy.advance(TTL.dividedBy(2));

        assertThat(envoy.take().getVersionInfo()).isEqualTo(good);

        SubscriptionState state = envoy.describe().getFirst();
        assertThat(state.progress()).isEqualTo(SubscriptionState.Progress.REJECTED);
        assertThat(state.accepted()).isEqualTo(good);
    }

    private static List<Resource> wrapped(DiscoveryResponse response) throws Exception {
        List<Resource> resources = new ArrayList<>();
        for (Any any : response.getResourcesList()) {
            resources.add(any.unpack(Resource.class));
        }
        return resources;
    }
}
