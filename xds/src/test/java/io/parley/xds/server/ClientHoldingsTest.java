package io.parley.xds.server;

import static io.parley.xds.server.StatusRig.FIRST;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.parley.xds.server.StatusClient.Told;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Case S9 and go-control-plane issue 954: which client has what, in which version, since when, and what it rejected. */
class ClientHoldingsTest {
    private final StatusRig rig = new StatusRig(StreamListener.NONE);

    static Stream<Arguments> clients() {
        return Stream.of(ApiVersion.values())
                .flatMap(api -> Stream.of(DiscoveryMethod.Variant.values()).map(variant -> Arguments.of(api, variant)));
    }

    @AfterEach
    void stop() throws InterruptedException {
        rig.stop();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void tellsWhatIsOnItsWayAcceptedAndMissing(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a", "b", "none");
        Told first = client.next();

        assertThat(rig.shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.REQUESTED);
        assertThat(rig.shown("a").getVersionInfo()).isEmpty();
        assertThat(rig.shown("none").getClientStatus()).isEqualTo(ClientResourceStatus.DOES_NOT_EXIST);

        client.acknowledge(first);

        GenericXdsConfig accepted = rig.shown("a");
        assertThat(accepted.getTypeUrl()).isEqualTo(ENDPOINT.url(api));
        assertThat(accepted.getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(accepted.getConfigStatus()).isEqualTo(ConfigStatus.SYNCED);
        assertThat(accepted.getVersionInfo()).isEqualTo(first.versionOf("a"));
        assertThat(Instant.ofEpochSecond(accepted.getLastUpdated().getSeconds()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(accepted.hasErrorState()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aClientStaysWithWhatItAcceptedUntilItAcceptsAnother(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a", "b");
        Told first = client.next();
        client.acknowledge(first);
        rig.live.publish(Snapshot.EMPTY.with(ENDPOINT, FIRST.with(endpoints("a", 2))));
        Told second = client.next();

        assertThat(rig.shown("a").getConfigStatus()).isEqualTo(ConfigStatus.STALE);
        assertThat(rig.shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(rig.shown("a").getVersionInfo()).isEqualTo(first.versionOf("a"));
        assertThat(rig.shown("b").getConfigStatus()).as("nothing new of it").isEqualTo(ConfigStatus.SYNCED);

        client.acknowledge(second);

        assertThat(rig.shown("a").getConfigStatus()).isEqualTo(ConfigStatus.SYNCED);
        assertThat(rig.shown("a").getVersionInfo())
                .isEqualTo(second.versionOf("a"))
                .isNotEqualTo(first.versionOf("a"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void s9_onlyWhatWasRejectedIsShownSoWithTheLastGoodVersion(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a", "b");
        Told good = client.next();
        client.acknowledge(good);
        rig.live.publish(Snapshot.EMPTY.with(ENDPOINT, FIRST.with(endpoints("a", 2))));
        Told bad = client.next();
        client.reject(bad, "no thanks");

        GenericXdsConfig rejected = rig.shown("a");
        assertThat(rejected.getClientStatus()).isEqualTo(ClientResourceStatus.NACKED);
        assertThat(rejected.getConfigStatus()).isEqualTo(ConfigStatus.ERROR);
        assertThat(rejected.getVersionInfo()).isEqualTo(good.versionOf("a"));
        assertThat(rejected.getErrorState().getVersionInfo()).isEqualTo(bad.versionOf("a"));
        assertThat(rejected.getErrorState().getDetails()).isEqualTo("no thanks");
        assertThat(rejected.getErrorState().hasLastUpdateAttempt()).isTrue();
        assertThat(rig.shown("b").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(rig.shown("b").hasErrorState()).isFalse();

        Told cured = rig.publish(client, FIRST.with(endpoints("a", 3)));
        client.acknowledge(cured);

        assertThat(rig.shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(rig.shown("a").getVersionInfo()).isEqualTo(cured.versionOf("a"));
        assertThat(rig.shown("a").hasErrorState()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void s9_whatWasRejectedStaysSoWhenASiblingIsAccepted(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a", "b", "c");
        Told good = client.next();
        client.acknowledge(good);
        ResourceSet withBad = FIRST.with(endpoints("a", 2));
        Told bad = rig.publish(client, withBad);
        client.reject(bad, "no thanks");

        Told sibling = rig.publish(client, withBad.with(endpoints("b", 2)));
        client.acknowledge(sibling);
        Told another = rig.publish(client, withBad.with(endpoints("b", 2)).with(endpoints("c", 1)));
        client.acknowledge(another);

        assertThat(rig.shown("b").getVersionInfo()).isNotEqualTo(good.versionOf("b"));
        assertThat(rig.shown("b").getConfigStatus()).isEqualTo(ConfigStatus.SYNCED);
        assertThat(rig.shown("c").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        GenericXdsConfig rejected = rig.shown("a");
        assertThat(rejected.getClientStatus()).isEqualTo(ClientResourceStatus.NACKED);
        assertThat(rejected.getConfigStatus()).isEqualTo(ConfigStatus.ERROR);
        assertThat(rejected.getVersionInfo()).isEqualTo(good.versionOf("a"));
        assertThat(rejected.getErrorState().getVersionInfo()).isEqualTo(bad.versionOf("a"));
        assertThat(rejected.getErrorState().getDetails()).isEqualTo("no thanks");

        Told cured = rig.publish(client, withBad.with(endpoints("a", 3)));
        client.acknowledge(cured);

        assertThat(rig.shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(rig.shown("a").getVersionInfo()).isEqualTo(cured.versionOf("a"));
        assertThat(rig.shown("a").hasErrorState()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void s9_eachRejectedResourceKeepsItsOwnReason(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a", "b");
        client.acknowledge(client.next());
        client.reject(rig.publish(client, FIRST.with(endpoints("a", 2))), "bad a");
        Told second = rig.publish(client, FIRST.with(endpoints("a", 2)).with(endpoints("b", 2)));
        client.reject(second, "bad b");

        assertThat(rig.shown("a").getErrorState().getDetails()).isEqualTo("bad a");
        assertThat(rig.shown("b").getErrorState().getDetails()).isEqualTo("bad b");
        assertThat(rig.shown("b").getErrorState().getVersionInfo()).isEqualTo(second.versionOf("b"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void s9_aRejectedResourceThatIsGivenUpIsForgotten(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a", "b");
        client.acknowledge(client.next());
        Told bad = rig.publish(client, FIRST.with(endpoints("a", 2)));
        client.reject(bad, "bad a");
        client.giveUp(bad, "a");

        assertThat(rig.config().getGenericXdsConfigsList())
                .extracting(GenericXdsConfig::getName)
                .containsExactly("b");
        assertThat(rig.xds.states().join().getFirst().subscriptions().getFirst().resources())
                .noneMatch(resource -> resource.rejected() != null);
    }

    /** The state of the world: an answer that is accepted with all in it leaves nothing rejected. */
    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void s9_anAcceptedStateOfAllClearsWhatWasRejected(ApiVersion api) {
        rig.live.publish(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b"))));
        StatusClient client = StatusClient.open(rig.channel, api, DiscoveryMethod.Variant.SOTW, CLUSTER);
        client.acknowledge(client.next());
        rig.live.publish(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a", 2), cluster("b"))));
        client.reject(client.next(), "bad a");
        assertThat(rig.shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.NACKED);
        assertThat(rig.shown("b").getClientStatus()).as("it did not change").isEqualTo(ClientResourceStatus.ACKED);

        rig.live.publish(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("b"))));
        rig.afterThePause();
        client.acknowledge(client.next());

        assertThat(rig.config().getGenericXdsConfigsList())
                .extracting(GenericXdsConfig::getName, GenericXdsConfig::getClientStatus)
                .containsExactly(tuple("b", ClientResourceStatus.ACKED));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void ofANameThatIsAskedForLaterTheClientHasNothingUntilItAccepts(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(rig.channel, api, variant, "a");
        Told first = client.next();
        client.acknowledge(first);
        client.askAlso(first, "b");
        Told second = client.next();

        assertThat(rig.shown("b").getClientStatus()).isEqualTo(ClientResourceStatus.REQUESTED);
        assertThat(rig.shown("b").getVersionInfo()).isEmpty();
        assertThat(rig.shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);

        client.acknowledge(second);

        assertThat(rig.shown("b").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
    }
}
