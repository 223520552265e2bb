package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.bootstrap;
import static io.parley.xds.client.ClientRig.server;
import static io.parley.xds.client.ClientRig.v3;
import static io.parley.xds.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.listener.v3.ApiListener;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.clusters.aggregate.v3.ClusterConfig;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.bootstrap.XdsVersions;
import io.parley.xds.client.resource.NestedTypes;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases C1 to C14: which version is spoken, and that resources of either are taken. */
class ClientVersionTest {
    private static final String V2_METHOD =
            "envoy.service.discovery.v2.AggregatedDiscoveryService/StreamAggregatedResources";
    private static final String V3_METHOD =
            "envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources";
    private static final int BUILD_VERSION = 5;

    @RegisterExtension
    final ClientRig rig = new ClientRig();

    @Test
    void c1_withoutFeaturesSpeaksVersion2AndSendsBuildVersion() {
        XdsServer server = server();
        ScriptedServer scripted = rig.start(server);

        rig.watch(rig.client(server), ProtoParser.LISTENERS, "a");

        assertThat(scripted.stream().method()).isEqualTo(V2_METHOD);
        DiscoveryRequest request = scripted.sotw().last();
        assertThat(request.getTypeUrl()).isEqualTo("type.googleapis.com/envoy.api.v2.Listener");
        assertThat(buildVersion(request.getNode())).containsExactly("parley test");
        assertThat(request.getNode().getUserAgentName()).isEqualTo("parley");
        assertThat(request.getNode().getId()).isEqualTo("node-1");
    }

    @Test
    void c2_withTheFeatureSpeaksVersion3AndSendsNoBuildVersion() {
        XdsServer server = v3();
        ScriptedServer scripted = rig.start(server);

        rig.watch(rig.client(server), ProtoParser.LISTENERS, "a");

        assertThat(scripted.stream().method()).isEqualTo(V3_METHOD);
        DiscoveryRequest request = scripted.sotw().last();
        assertThat(request.getTypeUrl()).isEqualTo("type.googleapis.com/envoy.config.listener.v3.Listener");
        assertThat(buildVersion(request.getNode())).isEmpty();
        assertThat(request.getNode().getUserAgentVersion()).isEqualTo("test");
        assertThat(request.getNode().getClientFeaturesList()).contains("xds.config.resource-in-sotw");
    }

    @Test
    void c3_otherFeaturesDoNotDisturb() {
        XdsServer server = server("x", "xds_v3", "y");
        ScriptedServer scripted = rig.start(server);

        rig.watch(rig.client(server), ProtoParser.LISTENERS, "a");

        assertThat(scripted.stream().method()).isEqualTo(V3_METHOD);
    }

    @Test
    void c6_theEnvironmentTurnsVersion3Off() {
        XdsServer server = v3();
        ScriptedServer scripted = rig.start(server);

        XdsClient client = rig.client(bootstrap(server), Variant.SOTW, Map.of(XdsVersions.V3_VARIABLE, "false"));
        rig.watch(client, ProtoParser.LISTENERS, "a");

        assertThat(scripted.stream().method()).isEqualTo(V2_METHOD);
    }

    @Test
    void c8_aVersion2StreamTakesVersion3ResourcesAndAcksUnderTheVersion2Url() {
        XdsServer server = server();
        ScriptedServer scripted = rig.start(server);
        Events<Listener> events = rig.watch(rig.client(server), ProtoParser.LISTENERS, "a");

        scripted.sotw().send(answer(ResourceType.LISTENER, "1", "n1", Sample.listener("a")));

        assertThat(events.seen()).containsExactly("+a@1");
        DiscoveryRequest ack = scripted.sotw().last();
        assertThat(ack.getTypeUrl()).isEqualTo("type.googleapis.com/envoy.api.v2.Listener");
        assertThat(ack.getVersionInfo()).isEqualTo("1");
        assertThat(ack.hasErrorDetail()).isFalse();
    }

    @Test
    void c9_aVersion3StreamTakesVersion2ResourcesAndWhatIsNestedInThem() throws InvalidProtocolBufferException {
        XdsServer server = v3();
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Listener> listeners = rig.watch(client, ProtoParser.LISTENERS, "a");
        Events<Cluster> clusters = rig.watch(client, ProtoParser.CLUSTERS, "c");

        scripted.sotw().send(answer(ResourceType.LISTENER.url(ApiVersion.V2), "1", "n1", Sample.asV2(v2Listener())));
        scripted.sotw().send(answer(ResourceType.CLUSTER.url(ApiVersion.V2), "1", "n2", Sample.asV2(v2Cluster())));

        assertThat(scripted.sotw().last().getTypeUrl()).isEqualTo(ResourceType.CLUSTER.url(ApiVersion.V3));
        assertThat(scripted.sotw().last().hasErrorDetail()).isFalse();
        assertThat(NestedTypes.unpack(
                        listeners.value().getApiListener().getApiListener(),
                        HttpConnectionManager.getDefaultInstance()))
                .map(HttpConnectionManager::getStatPrefix)
                .contains("prefix");
        assertThat(NestedTypes.unpack(
                        clusters.value().getTransportSocket().getTypedConfig(),
                        UpstreamTlsContext.getDefaultInstance()))
                .map(UpstreamTlsContext::getSni)
                .contains("sni");
        assertThat(NestedTypes.unpack(
                        clusters.value().getClusterType().getTypedConfig(), ClusterConfig.getDefaultInstance()))
                .map(ClusterConfig::getClustersList)
                .contains(ClusterConfig.newBuilder().addClusters("x").build().getClustersList());
        assertThat(NestedTypes.unpack(
                        clusters.value().getClusterType().getTypedConfig(), UpstreamTlsContext.getDefaultInstance()))
                .isEmpty();
    }

    private static Any v2Listener() {
        return Any.pack(Listener.newBuilder()
                .setName("a")
                .setApiListener(ApiListener.newBuilder()
                        .setApiListener(Sample.named(
                                "envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager",
                                HttpConnectionManager.newBuilder()
                                        .setStatPrefix("prefix")
                                        .build())))
                .build());
    }

    private static Any v2Cluster() {
        return Any.pack(Cluster.newBuilder()
                .setName("c")
                .setTransportSocket(TransportSocket.newBuilder()
                        .setTypedConfig(Sample.named(
                                "envoy.api.v2.auth.UpstreamTlsContext",
                                UpstreamTlsContext.newBuilder().setSni("sni").build())))
                .setClusterType(Cluster.CustomClusterType.newBuilder()
                        .setTypedConfig(Sample.named(
                                "envoy.config.cluster.aggregate.v2alpha.ClusterConfig",
                                ClusterConfig.newBuilder().addClusters("x").build())))
                .build());
    }

    @Test
    void c10_versionsMayBeMixedInOneAnswer() {
        XdsServer server = v3();
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> a = rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<Cluster> b = rig.watch(client, ProtoParser.CLUSTERS, "b");

        scripted.sotw()
                .send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a"), Sample.asV2(Sample.cluster("b"))));

        assertThat(a.seen()).containsExactly("+a@1");
        assertThat(b.seen()).containsExactly("+b@1");
    }

    @Test
    void c11_wrappedResourcesOfEitherVersionAreUnwrapped() {
        XdsServer server = v3();
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> a = rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<Cluster> b = rig.watch(client, ProtoParser.CLUSTERS, "b");
        Resource wrappedA = Resource.newBuilder()
                .setName("a")
                .setVersion("own")
                .setResource(Sample.cluster("a"))
                .build();
        Resource wrappedB = Resource.newBuilder()
                .setResource(Sample.asV2(Sample.cluster("b")))
                .build();

        scripted.sotw()
                .send(answer(
                        ResourceType.CLUSTER,
                        "1",
                        "n1",
                        Any.pack(wrappedA),
                        Sample.named("envoy.api.v2.Resource", wrappedB)));

        assertThat(a.seen()).containsExactly("+a@own");
        assertThat(b.seen()).containsExactly("+b@1");
        assertThat(scripted.sotw().last().hasErrorDetail()).isFalse();
    }

    @Test
    void c14_aServerWithoutTheVersionIsReportedAndTriedAgainInTheSameVersion() {
        XdsServer server = server();
        ScriptedServer scripted = rig.start(server, ApiVersion.V3);

        Events<Listener> events = rig.watch(rig.client(server), ProtoParser.LISTENERS, "a");

        assertThat(events.seen()).containsExactly("!a UNREACHABLE");
        assertThat(events.trouble().message()).contains("UNIMPLEMENTED", V2_METHOD, "server_features");
        rig.loop.advance(Duration.ofSeconds(1));
        rig.loop.advance(Duration.ofMillis(1600));
        assertThat(events.seen()).hasSize(3);
        assertThat(scripted.streamCount()).isZero();
    }

    private static List<String> buildVersion(Node node) {
        return node.getUnknownFields().getField(BUILD_VERSION).getLengthDelimitedList().stream()
                .map(com.google.protobuf.ByteString::toStringUtf8)
                .toList();
    }
}
