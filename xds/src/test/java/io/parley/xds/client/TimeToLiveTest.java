package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.bootstrap;
import static io.parley.xds.client.ClientRig.v3;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Resources with a time to live: rule 14 of the protocol facts, the client's side. */
class TimeToLiveTest {
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final Duration NEARLY = TIME.minusMillis(1);
    private static final Duration A_MOMENT = Duration.ofMillis(1);
    private static final String CDS = ResourceType.CLUSTER.url(ApiVersion.V3);

    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    @Test
    void saysThatItUnderstandsThem() {
        ScriptedServer scripted = rig.start(server);
        rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");

        assertThat(scripted.sotw().last().getNode().getClientFeaturesList())
                .contains("xds.config.supports-resource-ttl", "xds.config.resource-in-sotw");
    }

    @Test
    void whatIsNotHeardOfInItsTimeIsForgotten() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(wrapped("1", full("a")));
        rig.loop.advance(NEARLY);
        assertThat(events.seen()).containsExactly("+a@1");

        rig.loop.advance(A_MOMENT);

        assertThat(events.seen()).containsExactly("+a@1", "-a NOT_FOUND");
        assertThat(events.trouble().message()).contains("time to live");
    }

    @Test
    void aHeartbeatGivesItAllOfItsTimeAgain() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(wrapped("1", full("a")));
        rig.loop.advance(NEARLY);

        scripted.sotw().send(wrapped("1", heartbeat("a")));
        rig.loop.advance(NEARLY);
        assertThat(events.seen()).containsExactly("+a@1");

        rig.loop.advance(A_MOMENT);
        assertThat(events.seen()).containsExactly("+a@1", "-a NOT_FOUND");
    }

    @Test
    void whatComesAgainWithoutOneStays() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(wrapped("1", full("a")));

        scripted.sotw()
                .send(DiscoveryResponse.newBuilder()
                        .setTypeUrl(CDS)
                        .setVersionInfo("2")
                        .setNonce("n2")
                        .addResources(Sample.cluster("a"))
                        .build());
        rig.loop.advance(TIME.multipliedBy(3));

        assertThat(events.seen()).doesNotContain("-a NOT_FOUND");
    }

    /** A server that hears that the client has it would not send it again. */
    @Test
    void afterwardsTheServerIsNotToldThatTheClientHasIt() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events =
                rig.watch(rig.client(bootstrap(server), Variant.DELTA, Map.of()), ProtoParser.CLUSTERS, "a");
        stream(scripted)
                .send(DeltaDiscoveryResponse.newBuilder()
                        .setTypeUrl(CDS)
                        .setNonce("n1")
                        .addResources(full("a"))
                        .build());
        rig.loop.advance(TIME);
        assertThat(events.seen()).containsExactly("+a@1", "-a NOT_FOUND");

        stream(scripted).end();
        rig.loop.advance(Duration.ofSeconds(2));

        DeltaDiscoveryRequest first = stream(scripted).last();
        assertThat(first.getResourceNamesSubscribeList()).containsExactly("a");
        assertThat(first.getInitialResourceVersionsMap()).isEmpty();
    }

    private static ScriptedServer.Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream(ScriptedServer server) {
        return server.streamOf(DeltaDiscoveryRequest.class, DeltaDiscoveryResponse.class);
    }

    private static DiscoveryResponse wrapped(String version, Resource resource) {
        return DiscoveryResponse.newBuilder()
                .setTypeUrl(CDS)
                .setVersionInfo(version)
                .setNonce("n" + version)
                .addResources(Any.pack(resource))
                .build();
    }

    private static Resource full(String name) {
        return heartbeat(name).toBuilder().setResource(Sample.cluster(name)).build();
    }

    private static Resource heartbeat(String name) {
        return Resource.newBuilder()
                .setName(name)
                .setVersion("1")
                .setTtl(com.google.protobuf.Duration.newBuilder().setSeconds(TIME.toSeconds()))
                .build();
    }
}
