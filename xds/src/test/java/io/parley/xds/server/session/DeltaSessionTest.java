package io.parley.xds.server.session;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.server.snapshot.Samples.route;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static io.parley.xds.type.ResourceType.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cases S… of the protocol facts that concern delta streams. */
class DeltaSessionTest {
    private static final String EDS = ENDPOINT.url(ApiVersion.V3);
    private static final String CDS = CLUSTER.url(ApiVersion.V3);
    private static final String RDS = ROUTE.url(ApiVersion.V3);
    private static final ClientTraits WITH_EXPIRY = new ClientTraits(
            ClientTraits.EmptyList.MAY_BE_WILDCARD,
            ClientTraits.Names.NARROW,
            ClientTraits.Expiry.UNDERSTOOD,
            ClientTraits.Wrapping.UNKNOWN,
            ClientTraits.Warming.NEEDED);

    private final RecordedEvents events = new RecordedEvents();
    private DeltaSession session = session(ClientTraits.PLAIN);
    private final ResourceSet two = ResourceSet.of(endpoints("a", 1), endpoints("b", 1));
    private Snapshot snapshot =
            Snapshot.EMPTY.with(ENDPOINT, two).with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b")));
    private long now = 1;

    @Test
    void sendsOnlyWhatChanged() {
        subscribe(EDS, "a", "b");
        assertThat(names(take())).containsExactlyInAnyOrder("a", "b");
        snapshot = snapshot.with(ENDPOINT, two.with(endpoints("b", 2)));
        assertThat(names(take())).containsExactly("b");
        quiet();
    }

    @Test
    void s6_sendsAgainWhatIsAskedForAgain() {
        subscribe(EDS, "a");
        take();
        subscribe(EDS, "a");
        assertThat(names(take())).containsExactly("a");
        request(EDS, List.of(), List.of("a"), Map.of(), "", null);
        subscribe(EDS, "a");
        assertThat(names(take())).containsExactly("a");
    }

    @Test
    void s7_wildcardsStartByAnEmptyListOrAStarAndEndByUnsubscribing() {
        subscribe(CDS);
        assertThat(names(take())).containsExactlyInAnyOrder("a", "b");
        request(CDS, List.of(), List.of("*"), Map.of(), "", null);
        snapshot = snapshot.with(CLUSTER, ResourceSet.of(cluster("a", 3)));
        quiet();
        subscribe(CDS, "*");
        assertThat(names(take())).containsExactly("a");
    }

    @Test
    void s7_aNameGivenUpButCoveredByTheWildcardIsAnswered() {
        subscribe(CDS, "*", "a", "gone");
        take();
        request(CDS, List.of(), List.of("a", "gone"), Map.of(), "", null);
        DeltaDiscoveryResponse answer = take();
        assertThat(names(answer)).containsExactly("a");
        assertThat(answer.getRemovedResourcesList()).containsExactly("gone");
    }

    @Test
    void s8_heedsSubscriptionsOfAStaleRequest() {
        subscribe(EDS, "a");
        String old = take().getNonce();
        snapshot = snapshot.with(ENDPOINT, two.with(endpoints("a", 2)));
        DeltaDiscoveryResponse current = next();
        request(EDS, List.of("b"), List.of(), Map.of(), old, null);
        assertThat(events.stale).isEqualTo(1);
        quiet();
        request(EDS, List.of(), List.of(), Map.of(), current.getNonce(), null);
        assertThat(names(take())).containsExactly("b");
    }

    @Test
    void s9_rejectionPausesTheTypeAndIsNotRepeated() {
        subscribe(EDS, "a");
        request(EDS, List.of(), List.of(), Map.of(), next().getNonce(), new ErrorDetail(3, "no"));
        quiet();
        snapshot = snapshot.with(ENDPOINT, two.with(endpoints("a", 2)));
        quiet();
        long pause = Duration.ofSeconds(5).toNanos() / 16;
        assertThat(session.wakeAt(now)).isEqualTo(now + pause);
        now += pause;
        assertThat(names(take())).containsExactly("a");
        assertThat(events.rejected).hasSize(1);
    }

    @Test
    void s9_aRejectionIsOverWhenTheClientGivesUpWhatItRejected() {
        subscribe(EDS, "a", "b");
        take();
        snapshot = snapshot.with(ENDPOINT, ResourceSet.of(endpoints("a", 2), endpoints("b", 2)));
        request(EDS, List.of(), List.of(), Map.of(), next().getNonce(), new ErrorDetail(3, "no"));

        request(EDS, List.of(), List.of("a"), Map.of(), "", null);
        assertThat(events.givenUp).as("b stands").isEmpty();
        request(EDS, List.of(), List.of("b"), Map.of(), "", null);

        assertThat(events.givenUp).containsExactly(EDS);
        assertThat(events.acknowledged).as("the first answer").hasSize(1);
        subscribe(EDS, "b");
        assertThat(names(take())).containsExactly("b");
        snapshot = snapshot.with(ENDPOINT, two.with(endpoints("b", 3)));
        assertThat(names(take())).as("nothing is held back").containsExactly("b");
    }

    @Test
    void s11_saysAtOnceThatANameDoesNotExistAndS10SendsItWhenItDoes() {
        subscribe(EDS, "later");
        DeltaDiscoveryResponse answer = take();
        assertThat(answer.getRemovedResourcesList()).containsExactly("later");
        quiet();
        snapshot = snapshot.with(ENDPOINT, two.with(endpoints("later", 1)));
        assertThat(names(take())).containsExactly("later");
        snapshot = snapshot.with(ENDPOINT, two);
        assertThat(take().getRemovedResourcesList()).containsExactly("later");
    }

    @Test
    void s12_afterAReconnectOnlyTheDifferenceIsSent() {
        String version = two.find("a").orElseThrow().version();
        request(EDS, List.of("a", "b", "c"), List.of(), Map.of("a", version, "b", "old", "c", "1"), "", null);
        DeltaDiscoveryResponse answer = take();
        assertThat(names(answer)).containsExactly("b");
        assertThat(answer.getRemovedResourcesList()).containsExactly("c");
        quiet();
    }

    @Test
    void s12_endpointsOfClustersThatTheClientHasAreNotSentAgain() {
        Map<String, String> had = Map.of("a", cluster("a").version(), "b", "old");
        Map<String, String> endpoints = Map.of(
                "a", two.find("a").orElseThrow().version(),
                "b", two.find("b").orElseThrow().version());
        request(CDS, List.of(), List.of(), had, "", null);
        request(EDS, List.of("a", "b"), List.of(), endpoints, "", null);
        assertThat(names(take())).containsExactly("b");
        assertThat(names(take())).as("of the changed one, as case S15 says").containsExactly("b");
        quiet();
    }

    @Test
    void s15_aClusterThatChangedBetweenStreamsGetsItsEndpointsThoughTheyAreAskedForLater() {
        request(CDS, List.of(), List.of(), Map.of("a", cluster("a").version(), "b", "old"), "", null);
        assertThat(names(take())).containsExactly("b");
        Map<String, String> endpoints = Map.of(
                "a", two.find("a").orElseThrow().version(),
                "b", two.find("b").orElseThrow().version());
        request(EDS, List.of("a", "b"), List.of(), endpoints, "", null);
        assertThat(names(take())).containsExactly("b");
        quiet();
    }

    @Test
    void s19_removalsThatAreTooMuchForOneAnswerComeInSeveral() {
        session = new DeltaSession(
                null,
                new SessionContext(
                        TypePolicy.xds(),
                        ClientTraits.PLAIN,
                        new SessionLimits(1000, 10, 500, Duration.ofSeconds(5), Duration.ofSeconds(10)),
                        events,
                        new NameSets(),
                        ""));
        List<EncodedResource> many =
                IntStream.range(0, 100).mapToObj(i -> cluster("cluster-" + i)).toList();
        snapshot = Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(many));
        subscribe(CDS);
        for (int seen = 0; seen < 100; ) {
            seen += take().getResourcesCount();
        }
        snapshot = Snapshot.EMPTY;
        Set<String> removed = new HashSet<>();
        while (removed.size() < 100) {
            DeltaDiscoveryResponse part = take();
            assertThat(part.getSerializedSize()).isLessThan(700);
            removed.addAll(part.getRemovedResourcesList());
        }
        quiet();
    }

    @Test
    void s12_aWildcardClientHearsOfWhatWentAway() {
        Map<String, String> had =
                Map.of("a", cluster("a").version(), "b", cluster("b").version(), "c", "1");
        request(CDS, List.of(), List.of(), had, "", null);
        DeltaDiscoveryResponse answer = take();
        assertThat(answer.getResourcesList()).isEmpty();
        assertThat(answer.getRemovedResourcesList()).containsExactly("c");
    }

    @Test
    void s27_aClientThatHasEverythingIsLeftAlone() {
        Map<String, String> had =
                Map.of("a", cluster("a").version(), "b", cluster("b").version());
        request(CDS, List.of("*"), List.of(), had, "", null);
        quiet();
    }

    @Test
    void anEmptyStateIsAnAnswerToAWildcardToo() {
        snapshot = Snapshot.EMPTY;
        subscribe(CDS);
        assertThat(take().getResourcesList()).isEmpty();
        quiet();
    }

    @Test
    void s14_removesClustersLast() {
        snapshot = snapshot.with(ROUTE, ResourceSet.of(route("r", "a")));
        subscribe(CDS);
        take();
        subscribe(RDS, "r");
        take();
        snapshot = snapshot.with(CLUSTER, ResourceSet.of(cluster("b"), cluster("c")))
                .with(ROUTE, ResourceSet.of(route("r", "c")));
        DeltaDiscoveryResponse made = take();
        assertThat(names(made)).containsExactly("c");
        assertThat(made.getRemovedResourcesList()).isEmpty();
        assertThat(take().getTypeUrl()).isEqualTo(RDS);
        DeltaDiscoveryResponse broken = take();
        assertThat(broken.getTypeUrl()).isEqualTo(CDS);
        assertThat(broken.getRemovedResourcesList()).containsExactly("a");
        quiet();
    }

    @Test
    void s15_sendsEndpointsAgainAfterAChangeOfTheirCluster() {
        subscribe(CDS);
        take();
        subscribe(EDS, "a", "b");
        take();
        snapshot = snapshot.with(CLUSTER, ResourceSet.of(cluster("a", 4), cluster("b")));
        assertThat(names(take())).containsExactly("a");
        assertThat(take().getTypeUrl()).isEqualTo(EDS);
        quiet();
    }

    @Test
    void s21_timeToLiveOnlyForClientsThatKnowIt() {
        EncodedResource expiring = endpoints("a", 1).expiringAfter(Duration.ofSeconds(10));
        snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(expiring, endpoints("b", 1)));
        subscribe(EDS, "a", "b");
        assertThat(take().getResourcesList()).noneMatch(Resource::hasTtl);
        assertThat(session.wakeAt(now)).isEqualTo(Long.MAX_VALUE);

        session = session(WITH_EXPIRY);
        subscribe(EDS, "a", "b");
        assertThat(take().getResourcesList()).filteredOn(Resource::hasTtl).hasSize(1);
        quiet();
        now += Duration.ofSeconds(5).toNanos();
        Resource beat = take().getResources(0);
        assertThat(beat.getName()).isEqualTo("a");
        assertThat(beat.getVersion()).isEqualTo(expiring.version());
        assertThat(beat.hasResource()).isFalse();
        assertThat(beat.getTtl().getSeconds()).isEqualTo(10);
        quiet();
    }

    @Test
    void s21_whatAClientBringsIsKeptAliveAtOnce() {
        EncodedResource expiring = endpoints("a", 1).expiringAfter(Duration.ofSeconds(10));
        snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(expiring));
        session = session(WITH_EXPIRY);
        request(EDS, List.of("a"), List.of(), Map.of("a", expiring.version()), "", null);

        Resource beat = take().getResources(0);

        assertThat(beat.getName()).isEqualTo("a");
        assertThat(beat.hasResource()).isFalse();
        quiet();
    }

    @Test
    void aFederatedNameIsTheSameHoweverItIsSpelled() {
        String kept = "xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/x?b=1&a=2";
        String asked = "xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/x?a=2&b=1";
        EncodedResource resource = endpoints(kept, 1);
        snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(resource));

        request(EDS, List.of(asked), List.of(), Map.of(kept, resource.version()), "", null);
        quiet();
        subscribe(EDS, kept);
        assertThat(names(take())).containsExactly(asked);
    }

    @Test
    void servesTypesThatAreNotOfXds() {
        session = new DeltaSession(
                null,
                new SessionContext(
                        _ -> TypeRules.UNORDERED_WILDCARD,
                        ClientTraits.PLAIN,
                        SessionLimits.DEFAULT,
                        events,
                        new NameSets(),
                        ""));
        snapshot = Snapshot.EMPTY.with(
                "Mesh", ResourceSet.of(EncodedResource.of("default", Any.pack(StringValue.of("m")))));
        subscribe("Mesh");
        DeltaDiscoveryResponse answer = take();
        assertThat(answer.getTypeUrl()).isEqualTo("Mesh");
        assertThat(names(answer)).containsExactly("default");
        assertThat(answer.getResources(0).getResource().is(StringValue.class)).isTrue();
    }

    @Test
    void s25_aStreamOfOneTypeImpliesItAndRefusesOthers() {
        session = new DeltaSession(
                ResourceType.ENDPOINT.url(ApiVersion.V2),
                new SessionContext(
                        TypePolicy.xds(), ClientTraits.PLAIN, SessionLimits.DEFAULT, events, new NameSets(), ""));
        subscribe("", "a");
        assertThat(take().getTypeUrl()).isEqualTo(ENDPOINT.url(ApiVersion.V2));
        DeltaRequest other = new DeltaRequest(CDS, List.of(), List.of(), Map.of(), "", null);
        assertThat(session.accept(other, now)).isPresent();
    }

    private DeltaSession session(ClientTraits traits) {
        return new DeltaSession(
                null, new SessionContext(TypePolicy.xds(), traits, SessionLimits.DEFAULT, events, new NameSets(), ""));
    }

    private void subscribe(String type, String... names) {
        request(type, List.of(names), List.of(), Map.of(), "", null);
    }

    private void request(
            String type,
            List<String> subscribe,
            List<String> unsubscribe,
            Map<String, String> initial,
            String nonce,
            @Nullable ErrorDetail error) {
        DeltaRequest request = new DeltaRequest(type, subscribe, unsubscribe, initial, nonce, error);
        assertThat(session.accept(request, now)).isEmpty();
    }

    private DeltaDiscoveryResponse next() {
        try {
            return DeltaDiscoveryResponse.parseFrom(
                    session.next(snapshot, now).orElseThrow().toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private DeltaDiscoveryResponse take() {
        DeltaDiscoveryResponse response = next();
        request(response.getTypeUrl(), List.of(), List.of(), Map.of(), response.getNonce(), null);
        return response;
    }

    private void quiet() {
        assertThat(session.next(snapshot, now)).isEmpty();
    }

    private static List<String> names(DeltaDiscoveryResponse response) {
        return response.getResourcesList().stream().map(Resource::getName).toList();
    }
}
