package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.bootstrap;
import static io.parley.xds.client.ClientRig.server;
import static io.parley.xds.client.ClientRig.v3;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is said on a stream with changes. */
class ClientDeltaTest {
    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    @Test
    void subscribesAcksAndUnsubscribes() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = client(server);
        Events<Cluster> events = new Events<>();
        Watch watch = client.watch(ProtoParser.CLUSTERS, "a", events);
        assertThat(stream(scripted).method())
                .isEqualTo("envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources");
        assertThat(stream(scripted).last().getResourceNamesSubscribeList()).containsExactly("a");

        stream(scripted)
                .send(answer("n1", resource("a", "1", Sample.cluster("a"))).build());
        assertThat(events.seen()).containsExactly("+a@1");
        assertThat(stream(scripted).last().getResponseNonce()).isEqualTo("n1");
        assertThat(stream(scripted).last().getResourceNamesSubscribeList()).isEmpty();

        rig.watch(client, ProtoParser.CLUSTERS, "b");
        assertThat(stream(scripted).last().getResourceNamesSubscribeList()).containsExactly("b");
        assertThat(stream(scripted).last().getResponseNonce()).as("spontaneous").isEmpty();

        watch.close();
        assertThat(stream(scripted).last().getResourceNamesUnsubscribeList()).containsExactly("a");
        assertThat(stream(scripted).last().getResourceNamesSubscribeList()).isEmpty();
    }

    @Test
    void c16_aNackCarriesTheErrorAndValidSiblingsAreApplied() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = client(server);
        Events<ClusterLoadAssignment> good = rig.watch(client, ProtoParser.ENDPOINTS, "good");
        Events<ClusterLoadAssignment> bad = rig.watch(client, ProtoParser.ENDPOINTS, "bad");

        stream(scripted)
                .send(answer(
                                "n1",
                                resource("good", "1", Sample.endpoints("good", "::1")),
                                resource("bad", "1", Sample.endpoints("bad", "nowhere")))
                        .setTypeUrl(ResourceType.ENDPOINT.url(ApiVersion.V3))
                        .build());

        assertThat(good.seen()).containsExactly("+good@1");
        assertThat(bad.seen()).containsExactly("!bad INVALID");
        DeltaDiscoveryRequest nack = stream(scripted).last();
        assertThat(nack.getResponseNonce()).isEqualTo("n1");
        assertThat(nack.getErrorDetail().getCode()).isEqualTo(3);
    }

    @Test
    void removedResourcesAreGoneWhateverTheirType() {
        ScriptedServer scripted = rig.start(server);
        Events<ClusterLoadAssignment> events = rig.watch(client(server), ProtoParser.ENDPOINTS, "e");
        stream(scripted)
                .send(answer("n1", resource("e", "1", Sample.endpoints("e", "::1")))
                        .setTypeUrl(ResourceType.ENDPOINT.url(ApiVersion.V3))
                        .build());

        stream(scripted)
                .send(answer("n2")
                        .setTypeUrl(ResourceType.ENDPOINT.url(ApiVersion.V3))
                        .addRemovedResources("e")
                        .build());

        assertThat(events.seen()).containsExactly("+e@1", "-e NOT_FOUND");
    }

    @Test
    void anUnknownNameIsAnsweredAtOnceAndNeedsNoTimer() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(client(server), ProtoParser.CLUSTERS, "none");

        stream(scripted).send(answer("n1").addRemovedResources("none").build());

        assertThat(events.seen()).containsExactly("-none NOT_FOUND");
        assertThat(rig.loop.pending()).isZero();
    }

    @Test
    void c23_aNewStreamBeginsWithTheVersionsInUse() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        Watch watch = client.watch(ProtoParser.CLUSTERS, "b", new Events<>());
        rig.watch(client, ProtoParser.CLUSTERS, "c");
        stream(scripted)
                .send(answer("n1", resource("a", "7", Sample.cluster("a")), resource("b", "8", Sample.cluster("b")))
                        .build());
        watch.close();

        stream(scripted).end();
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(scripted.streamCount()).isEqualTo(2);
        DeltaDiscoveryRequest first = stream(scripted).last();
        assertThat(first.getInitialResourceVersionsMap()).isEqualTo(Map.of("a", "7"));
        assertThat(first.getResourceNamesSubscribeList()).containsExactly("a", "c");
        assertThat(first.getResponseNonce()).isEmpty();
    }

    @Test
    void c23_whatWasDroppedAsBadIsNotClaimedOnTheNextStream() {
        XdsServer strict = v3("fail_on_data_errors");
        ScriptedServer scripted = rig.start(strict);
        Events<ClusterLoadAssignment> events = rig.watch(client(strict), ProtoParser.ENDPOINTS, "e");
        String type = ResourceType.ENDPOINT.url(ApiVersion.V3);
        stream(scripted)
                .send(answer("n1", resource("e", "1", Sample.endpoints("e", "::1")))
                        .setTypeUrl(type)
                        .build());
        stream(scripted)
                .send(answer("n2", resource("e", "2", Sample.endpoints("e", "nowhere")))
                        .setTypeUrl(type)
                        .build());
        assertThat(events.seen()).containsExactly("+e@1", "-e INVALID");

        stream(scripted).end();
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(stream(scripted).last().getInitialResourceVersionsMap()).isEmpty();
    }

    @Test
    void c25_theFirstServerIsNotToldOfVersionsThatAnotherHasReplacedSince() {
        XdsServer second = v3();
        ScriptedServer primary = rig.start(server);
        ScriptedServer fallback = rig.start(second);
        XdsClient client = rig.client(bootstrap(server, second), Variant.DELTA, Map.of());
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        stream(primary)
                .send(answer("n1", resource("a", "1", Sample.cluster("a"))).build());
        stream(primary).fail(Status.UNAVAILABLE);
        primary.close();
        rig.loop.advance(Duration.ofSeconds(2));
        rig.watch(client, ProtoParser.CLUSTERS, "b");
        stream(fallback)
                .send(answer("n1", resource("a", "of the second", Sample.cluster("a", 2)))
                        .build());

        ScriptedServer again = rig.start(server);
        rig.loop.advance(Duration.ofSeconds(10));

        assertThat(stream(again).requests().getFirst().getInitialResourceVersionsMap())
                .isEmpty();
    }

    @Test
    void watchingAllAsksWithoutNames() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = client(server);
        Events<Cluster> all = new Events<>();
        client.watchAll(ProtoParser.CLUSTERS, all);
        assertThat(stream(scripted).last().getResourceNamesSubscribeList()).isEmpty();

        stream(scripted)
                .send(answer("n1", resource("a", "1", Sample.cluster("a"))).build());
        stream(scripted).send(answer("n2").addRemovedResources("a").build());
        rig.watch(client, ProtoParser.CLUSTERS, "b");

        assertThat(all.seen()).containsExactly("+a@1", "-a NOT_FOUND");
        assertThat(stream(scripted).last().getResourceNamesSubscribeList()).containsExactly("b");
    }

    @Test
    void aHeartbeatChangesNothing() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(client(server), ProtoParser.CLUSTERS, "a");
        stream(scripted)
                .send(answer("n1", resource("a", "1", Sample.cluster("a"))).build());

        stream(scripted)
                .send(answer(
                                "n2",
                                Resource.newBuilder()
                                        .setName("a")
                                        .setVersion("1")
                                        .build())
                        .build());

        assertThat(events.seen()).containsExactly("+a@1");
        assertThat(stream(scripted).last().hasErrorDetail()).isFalse();
    }

    /** Elsewhere a refusal that waits may be passed over. Here nothing of the first answer is in the second. */
    @Test
    void aRefusalThatWaitsIsToldBeforeAnAnswerAboutOthersIsAccepted() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = client(server);
        rig.watch(client, ProtoParser.ENDPOINTS, "bad");
        rig.watch(client, ProtoParser.ENDPOINTS, "good");
        stream(scripted).send(endpoints("n1", "bad", "nowhere"));
        stream(scripted).send(endpoints("n2", "bad", "nowhere"));
        assertThat(stream(scripted).last().getResponseNonce())
                .as("the second waits")
                .isEqualTo("n1");
        int told = stream(scripted).requests().size();

        stream(scripted).send(endpoints("n3", "good", "::1"));

        List<DeltaDiscoveryRequest> since = stream(scripted).requests();
        since = since.subList(told, since.size());
        assertThat(since).extracting(DeltaDiscoveryRequest::getResponseNonce).containsExactly("n2", "n3");
        assertThat(since).extracting(DeltaDiscoveryRequest::hasErrorDetail).containsExactly(true, false);
        assertThat(rig.loop.pending()).isZero();
    }

    @Test
    void version2HasItToo() {
        XdsServer old = server();
        ScriptedServer scripted = rig.start(old);
        Events<Cluster> events = rig.watch(client(old), ProtoParser.CLUSTERS, "a");

        assertThat(stream(scripted).method())
                .isEqualTo("envoy.service.discovery.v2.AggregatedDiscoveryService/DeltaAggregatedResources");
        stream(scripted)
                .send(answer("n1", resource("a", "1", Sample.asV2(Sample.cluster("a"))))
                        .setTypeUrl(ResourceType.CLUSTER.url(ApiVersion.V2))
                        .build());
        assertThat(events.seen()).containsExactly("+a@1");
        assertThat(stream(scripted).last().getTypeUrl()).isEqualTo(ResourceType.CLUSTER.url(ApiVersion.V2));
    }

    private XdsClient client(XdsServer to) {
        return rig.client(bootstrap(to), Variant.DELTA, Map.of());
    }

    private static ScriptedServer.Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream(ScriptedServer server) {
        return server.streamOf(DeltaDiscoveryRequest.class, DeltaDiscoveryResponse.class);
    }

    private static DeltaDiscoveryResponse.Builder answer(String nonce, Resource... resources) {
        return DeltaDiscoveryResponse.newBuilder()
                .setTypeUrl(ResourceType.CLUSTER.url(ApiVersion.V3))
                .setNonce(nonce)
                .addAllResources(List.of(resources));
    }

    private static DeltaDiscoveryResponse endpoints(String nonce, String name, String address) {
        return answer(nonce, resource(name, nonce, Sample.endpoints(name, address)))
                .setTypeUrl(ResourceType.ENDPOINT.url(ApiVersion.V3))
                .build();
    }

    private static Resource resource(String name, String version, Any body) {
        return Resource.newBuilder()
                .setName(name)
                .setVersion(version)
                .setResource(body)
                .build();
    }
}
