package io.parley.xds.server.session;

import static io.parley.xds.server.session.SotwProbe.names;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.server.snapshot.Samples.listener;
import static io.parley.xds.server.snapshot.Samples.mesh;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static io.parley.xds.type.ResourceType.LISTENER;
import static io.parley.xds.type.ResourceType.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases S… of the protocol facts that concern state-of-the-world streams. */
class SotwSessionTest {
    private final SotwProbe client = new SotwProbe();
    private final ResourceSet twoEndpoints = ResourceSet.of(endpoints("a", 1), endpoints("b", 1));

    @Test
    void s1_answersEachClientInTheVersionItAsksFor() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a")));
        SotwProbe old = new SotwProbe();
        old.api = ApiVersion.V2;
        old.snapshot = client.snapshot;
        DiscoveryResponse v3 = client.ask(CLUSTER).take();
        DiscoveryResponse v2 = old.ask(CLUSTER).take();
        assertThat(v3.getTypeUrl()).isEqualTo(CLUSTER.url(ApiVersion.V3));
        assertThat(v3.getResources(0).getTypeUrl()).isEqualTo(CLUSTER.url(ApiVersion.V3));
        assertThat(v2.getTypeUrl()).isEqualTo(CLUSTER.url(ApiVersion.V2));
        assertThat(v2.getResources(0).getTypeUrl()).isEqualTo(CLUSTER.url(ApiVersion.V2));
        assertThat(v2.getResources(0).getValue()).isEqualTo(v3.getResources(0).getValue());
        assertThat(v2.getVersionInfo()).isEqualTo(v3.getVersionInfo());
        assertThat(v3.getControlPlane().getIdentifier()).isEqualTo("test");
    }

    @Test
    void s4_answersAPartOfTheNamesAtOnce() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        assertThat(names(client.ask(ENDPOINT, "a", "not there").take())).containsExactly("a");
        client.quiet();
    }

    @Test
    void s5_answersANewNameThoughTheVersionIsTheSame() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT, "a").take();
        DiscoveryResponse second = client.ask(ENDPOINT, "a", "b").take();
        assertThat(names(second)).containsExactly("b");
        client.quiet();
    }

    @Test
    void s6_sendsAgainWhatWasGivenUpAndAskedForAgain() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT, "a", "b").take();
        client.ask(ENDPOINT, "a").quiet();
        assertThat(names(client.ask(ENDPOINT, "a", "b").take())).containsExactly("b");
    }

    @Test
    void s7_anEmptyListIsAWildcardUntilANameIsGiven() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b")));
        assertThat(names(client.ask(CLUSTER).take())).containsExactly("a", "b");
        assertThat(names(client.ask(CLUSTER, "a").take())).containsExactly("a");
        client.ask(CLUSTER).quiet();
        client.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a", 7)));
        client.quiet();
    }

    @Test
    void s7_aStarMayStandAmongNames() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b")));
        assertThat(names(client.ask(CLUSTER, "*", "c").take())).containsExactly("a", "b");
        client.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("b"), cluster("c")));
        assertThat(names(client.take())).containsExactly("b", "c");
        assertThat(names(client.ask(CLUSTER, "c").quiet().ask(CLUSTER, "*").take()))
                .containsExactly("b", "c");
        client.ask(CLUSTER).quiet();
    }

    @Test
    void s7_anEmptyListIsNoWildcardForOtherTypesNorForGrpcClients() {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT).quiet();
        SotwProbe grpc = new SotwProbe(
                new ClientTraits(
                        ClientTraits.EmptyList.NEVER_WILDCARD,
                        ClientTraits.Names.NARROW,
                        ClientTraits.Expiry.UNKNOWN,
                        ClientTraits.Wrapping.UNKNOWN,
                        ClientTraits.Warming.NOT_NEEDED),
                SessionLimits.DEFAULT);
        grpc.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a")));
        grpc.ask(CLUSTER).quiet();
    }

    @Test
    void s7_namesOfAnOldEnvoyThatReconnectsStillMeanAll() throws Exception {
        SotwProbe envoy = new SotwProbe(
                new ClientTraits(
                        ClientTraits.EmptyList.MAY_BE_WILDCARD,
                        ClientTraits.Names.ECHO,
                        ClientTraits.Expiry.UNKNOWN,
                        ClientTraits.Wrapping.UNKNOWN,
                        ClientTraits.Warming.NEEDED),
                SessionLimits.DEFAULT);
        envoy.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b")));
        assertThat(names(envoy.ask(CLUSTER, "a").take())).containsExactly("a", "b");
    }

    @Test
    void anEmptyStateIsAnAnswerToo() {
        assertThat(client.ask(CLUSTER).take().getResourcesList()).isEmpty();
        client.quiet();
    }

    @Test
    void s8_doesNotHeedARequestThatAnswersAnOlderResponse() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        String old = client.ask(ENDPOINT, "a").take().getNonce();
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints.with(endpoints("a", 2)));
        client.next();
        client.send(ENDPOINT, "", old, null);
        client.quiet();
        assertThat(client.events.stale).isEqualTo(1);
        assertThat(client.events.acknowledged).hasSize(1);
        client.ack(ENDPOINT);
        assertThat(client.events.acknowledged).hasSize(2);
        assertThat(names(client.ask(ENDPOINT, "a", "b").take())).containsExactly("b");
    }

    @Test
    void aFederatedNameIsTheSameHoweverItIsSpelled() throws Exception {
        String kept = "xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/x?b=1&a=%5B";
        String asked = "xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/%78?a=%5b&b=1";
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints(kept, 1)));

        assertThat(names(client.ask(ENDPOINT, asked).take())).containsExactly(kept);
    }

    @Test
    void s8_takesANonceOfAnotherStreamForNone() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT, "a").take();
        client.reconnect(ENDPOINT, "", "a", "b");
        assertThat(names(client.take())).containsExactly("b");
        client.send(ENDPOINT, "", "nonce-of-elsewhere", null);
        assertThat(client.events.stale).isZero();
    }

    @Test
    void s9_aRejectedAnswerIsNotSentAgainAndTheNextComesAfterAPause() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        String good = client.ask(ENDPOINT, "a").take().getVersionInfo();
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints.with(endpoints("a", 2)));
        String bad = client.next().getVersionInfo();
        client.nack(ENDPOINT, good);
        client.quiet();
        assertThat(client.events.rejected).containsExactly(new Rejection(bad, good, 3, "bad ENDPOINT"));
        SubscriptionState state = client.describe().getFirst();
        assertThat(state.progress()).isEqualTo(SubscriptionState.Progress.REJECTED);
        assertThat(state.accepted()).isEqualTo(good);

        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints.with(endpoints("a", 3)));
        client.advance(Duration.ofMillis(312));
        client.quiet();
        client.advance(Duration.ofMillis(1));
        assertThat(names(client.take())).containsExactly("a");
        assertThat(client.describe().getFirst().rejection()).isNull();
    }

    @Test
    void s9_eachRejectionInARowMakesThePauseTwiceAsLongUpToItsLimit() throws Exception {
        client.ask(ENDPOINT, "a");
        int port = 1;
        for (Duration pause : List.of(
                Duration.ofNanos(312_500_000),
                Duration.ofMillis(625),
                Duration.ofMillis(1250),
                Duration.ofMillis(2500),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5))) {
            client.snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("a", port++)));
            assertThat(names(client.next())).containsExactly("a");
            client.nack(ENDPOINT, "");
            client.snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("a", port)));
            client.advance(pause.minusNanos(1));
            client.quiet();
            client.advance(Duration.ofNanos(1));
        }
    }

    @Test
    void s9_aClientThatRejectsEverythingStillGetsNewNamesAtOnce() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT, "a").next();
        client.nack(ENDPOINT, "");
        client.quiet();
        assertThat(names(client.ask(ENDPOINT, "a", "b").take())).containsExactly("b");
    }

    @Test
    void s10_pushesANameThatAppearsLater() throws Exception {
        DiscoveryResponse none = client.ask(ENDPOINT, "later").take();
        assertThat(none.getResourcesList()).isEmpty();
        client.quiet();
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("later", 1)));
        assertThat(names(client.take())).containsExactly("later");
    }

    @Test
    void s13_takesTypesInAnyOrder() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.reconnect(ENDPOINT, "old", "c1");
        client.reconnect(ROUTE, "old", "r");
        client.reconnect(CLUSTER, "old", "c1");
        client.reconnect(LISTENER, "old", "l");
        List<DiscoveryResponse> all = List.of(client.next(), client.next(), client.next(), client.next());
        assertThat(all).allSatisfy(each -> assertThat(each.getResourcesCount()).isEqualTo(1));
        client.quiet();
    }

    @Test
    void s16_aSlowReaderSkipsStatesThatCameAndWent() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT, "a").next();
        for (int port = 2; port <= 100; port++) {
            client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints.with(endpoints("a", port)));
            client.quiet();
        }
        client.ack(ENDPOINT);
        DiscoveryResponse newest = client.take();
        assertThat(newest.getVersionInfo())
                .isEqualTo(client.snapshot.resources(ENDPOINT).version());
        client.quiet();
    }

    @Test
    void s19_splitsALargeAnswerWhereTheProtocolAllows() throws Exception {
        SotwProbe small = new SotwProbe(ClientTraits.PLAIN, limitedTo(2000));
        List<EncodedResource> many =
                IntStream.range(0, 100).mapToObj(i -> endpoints("e" + i, 1)).toList();
        small.snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(many));
        small.ask(ENDPOINT, many.stream().map(EncodedResource::name).toArray(String[]::new));
        java.util.Set<String> seen = new java.util.HashSet<>();
        int answers = 0;
        while (seen.size() < 100) {
            DiscoveryResponse part = small.take();
            assertThat(part.getSerializedSize()).isLessThan(2300);
            seen.addAll(names(part));
            answers++;
        }
        assertThat(answers).isGreaterThan(3);
        small.quiet();
    }

    @Test
    void s19_warnsOfALargeAnswerThatMustStayWhole() throws Exception {
        SotwProbe small = new SotwProbe(ClientTraits.PLAIN, limitedTo(500));
        List<EncodedResource> many =
                IntStream.range(0, 100).mapToObj(i -> cluster("c" + i)).toList();
        small.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(many));
        assertThat(names(small.ask(CLUSTER).take())).hasSize(100);
        assertThat(small.events.oversized).hasSize(1);
    }

    @Test
    void s20_aChangeOfOneResourceTouchesOnlyThoseWhoWantIt() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints);
        client.ask(ENDPOINT, "b").take();
        Snapshot changed = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints.with(endpoints("a", 2)));
        assertThat(client.session.concernedBy(changed.changesSince(client.snapshot)))
                .isFalse();
        client.snapshot = changed;
        client.quiet();
        Snapshot again = Snapshot.EMPTY.with(ENDPOINT, twoEndpoints.with(endpoints("b", 2)));
        assertThat(client.session.concernedBy(again.changesSince(changed))).isTrue();
    }

    @Test
    void s22_tellsWhatDoesNotExistInAFieldThatOldClientsSkip() {
        DiscoveryResponse response = client.ask(LISTENER, "nowhere").take();
        assertThat(response.getResourceErrorsList())
                .singleElement()
                .satisfies(
                        error -> assertThat(error.getResourceName().getName()).isEqualTo("nowhere"));
        client.snapshot = Snapshot.EMPTY.with(LISTENER, ResourceSet.of(listener("nowhere", "r")));
        assertThat(client.take().getResourceErrorsList()).as("told once").isEmpty();
    }

    @Test
    void s22_whatDoesNotExistIsToldInPiecesToo() {
        SotwProbe small = new SotwProbe(ClientTraits.PLAIN, limitedTo(2000));
        small.ask(ENDPOINT, IntStream.range(0, 100).mapToObj(i -> "none-" + i).toArray(String[]::new));
        int told = 0;
        while (told < 100) {
            DiscoveryResponse part = small.take();
            assertThat(part.getSerializedSize()).isLessThan(2300);
            told += part.getResourceErrorsCount();
        }
        small.quiet();
    }

    @Test
    void s25_refusesAnAggregatedRequestWithoutAType() {
        assertThat(client.session.accept(new SotwRequest("", "", "", NameList.of(), null), 0))
                .get()
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.INVALID_ARGUMENT));
    }

    @Test
    void s26_theSameConfigurationTwiceIsNoNews() throws Exception {
        client.snapshot = mesh("c1", "c1");
        client.ask(CLUSTER).take();
        Snapshot same = mesh("c1", "c1");
        assertThat(same.changesSince(client.snapshot)).isEmpty();
        client.snapshot = same;
        client.quiet();
    }

    @Test
    void s27_aClientOfEverythingThatHasTheCurrentVersionIsLeftAlone() throws Exception {
        client.snapshot = mesh("c1", "c1");
        String version = client.ask(CLUSTER).take().getVersionInfo();
        SotwProbe after = new SotwProbe();
        after.snapshot = mesh("c1", "c1");
        after.reconnect(CLUSTER, version);
        after.quiet();
        after.snapshot = mesh("c2", "c2");
        assertThat(names(after.take())).containsExactly("c2");
    }

    @Test
    void s27_namedResourcesAreSentAgainUnderTheSameVersion() throws Exception {
        client.snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b")));
        String version = client.ask(CLUSTER, "a").take().getVersionInfo();
        SotwProbe after = new SotwProbe();
        after.snapshot = client.snapshot;
        after.reconnect(CLUSTER, version, "a", "b");
        assertThat(after.take().getVersionInfo()).isEqualTo(version);
    }

    @Test
    void boundsNamesAndTypes() {
        SotwProbe bounded = new SotwProbe(
                ClientTraits.PLAIN, new SessionLimits(2, 1, 1000, Duration.ofSeconds(5), Duration.ofSeconds(5)));
        bounded.ask(ENDPOINT, "a", "b");
        NameList three = NameList.of("a", "b", "c");
        assertThat(bounded.session.accept(new SotwRequest(ENDPOINT.url(ApiVersion.V3), "", "", three, null), 0))
                .get()
                .satisfies(refusal -> assertThat(refusal.message()).contains("3 on one stream (expected: at most 2"));
        assertThat(bounded.send(CLUSTER, "", "", null)).isPresent();
    }

    @Test
    void boundsNamesOfAllTypesTogetherAndTheirLength() {
        SotwProbe bounded = new SotwProbe(
                ClientTraits.PLAIN, new SessionLimits(3, 4, 1000, Duration.ofSeconds(5), Duration.ofSeconds(5)));
        bounded.ask(ENDPOINT, "a", "b").ask(CLUSTER, "a");
        NameList one = NameList.of("r");
        assertThat(bounded.session.accept(new SotwRequest(ROUTE.url(ApiVersion.V3), "", "", one, null), 0))
                .get()
                .satisfies(refusal -> assertThat(refusal.message()).contains("4 on one stream (expected: at most 3"));
        bounded.ask(ENDPOINT);
        NameList endless = NameList.of("x".repeat(2049));
        assertThat(bounded.session.accept(new SotwRequest(ROUTE.url(ApiVersion.V3), "", "", endless, null), 0))
                .get()
                .satisfies(
                        refusal -> assertThat(refusal.message()).contains("2049 characters (expected: at most 2048)"));
    }

    private static SessionLimits limitedTo(int bytes) {
        return new SessionLimits(1000, 10, bytes, Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
}
