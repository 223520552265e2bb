package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.status.ZoneInsights;
import io.parley.sync.zone.LinkState;
import io.parley.wire.sync.proto.HandshakeRequest;
import io.parley.wire.sync.proto.HandshakeResponse;
import io.parley.wire.sync.proto.MultiplexMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases 41 to 48: versions, tenants, priority, status. */
class SkewCasesTest {
    private final ResourceStore global = Samples.store();
    private final ResourceStore first = Samples.store();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void case41_aPeerThatDoesNotTakeProducerPoliciesGetsTheRest() throws Exception {
        GlobalNode node = opened(GlobalNode.on(global));
        Samples.put(global, Samples.timeout("all", 1));
        Samples.put(
                global,
                Samples.timeout("zone-2.offered", 1)
                        .withLabels(Map.of(
                                "kuma.io/origin",
                                "zone",
                                "kuma.io/zone",
                                "zone-2",
                                "kuma.io/policy-role",
                                "producer")));
        try (RawPeer old = new RawPeer(node.port(), "zone-1");
                RawPeer current = new RawPeer(node.port(), "zone-3", "producer-policy-flow")) {
            var without = old.globalToZone();
            without.send(RawPeer.ask("MeshTimeout").build());
            assertThat(without.next().getResourcesCount()).isEqualTo(1);
            var with = current.globalToZone();
            with.send(RawPeer.ask("MeshTimeout").build());
            assertThat(with.next().getResourcesCount()).isEqualTo(2);
        }
    }

    @Test
    void case43_theNewestCommonVersionIsChosenUnderBothNamesOfTheMethod() {
        GlobalNode node = opened(GlobalNode.on(global));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            for (String method : SyncMethods.HANDSHAKES) {
                assertThat(handshake(peer, method, "0.1.0", "0.2.0", "7.0.0").getKdsVersion())
                        .isEqualTo("0.2.0");
                assertThat(handshake(peer, method, "0.1.0").getKdsVersion()).isEqualTo("0.1.0");
            }
        }
    }

    @Test
    void case43_withoutACommonVersionBothSidesSaySo() {
        GlobalNode node = opened(GlobalNode.on(global));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            assertThatThrownBy(() -> handshake(peer, "Handshake", "7.0.0"))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION))
                    .hasMessageContaining("no common sync version");
        }
        await().untilAsserted(() -> assertThat(Samples.spec(global, SyncKinds.ZONE_INSIGHT, "", "zone-1"))
                .contains("lastRefusal", "no common sync version", "[7.0.0]"));
        ZoneNode zone = opened(new ZoneNode(
                first, node.port(), ZoneNode.settings("zone-2").withVersions(List.of(new SyncVersion(9, 0, 0)))));
        await().until(() -> zone.sync().states().stream()
                .anyMatch(state -> state instanceof LinkState.Waiting waiting
                        && waiting.because().contains("no common sync version")));
    }

    @Test
    void case43_aZoneOfVersionOneStillSyncs() {
        GlobalNode node = opened(GlobalNode.on(global));
        Samples.put(global, Samples.timeout("t", 20));
        Samples.put(first, Samples.dataplane("web-1", 80));
        opened(new ZoneNode(
                first, node.port(), ZoneNode.settings("zone-1").withVersions(List.of(SyncVersion.STATE_OF_THE_WORLD))));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("t");
            assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1");
        });
        Samples.put(global, Samples.timeout("u", 20));
        Samples.delete(global, Samples.timeout("t", 20));
        Samples.delete(first, Samples.dataplane("web-1", 80));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("u");
            assertThat(Samples.names(global, DATAPLANE)).isEmpty();
        });
    }

    @Test
    void aZoneOfVersionOneThatKnowsNoHandshakeSpeaksByHand() throws Exception {
        GlobalNode node = opened(GlobalNode.on(global));
        Samples.put(global, Samples.timeout("t", 20));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            RawPeer.Stream<MultiplexMessage, MultiplexMessage> stream =
                    peer.open(SyncMethods.MULTIPLEX_SERVICE, SyncMethods.STREAM_MESSAGE, MultiplexMessage.parser());
            DiscoveryRequest ask = DiscoveryRequest.newBuilder()
                    .setNode(Node.newBuilder().setId("zone-1"))
                    .setTypeUrl("MeshTimeout")
                    .build();
            stream.send(
                    MultiplexMessage.newBuilder().setRequest(ask.toByteString()).build());
            DiscoveryResponse answer = null;
            int asked = 0;
            while (answer == null || asked < SyncKinds.toGlobal().size()) {
                MultiplexMessage message = stream.next();
                if (message.hasResponse()) {
                    answer = DiscoveryResponse.parseFrom(message.getResponse());
                } else {
                    asked++;
                }
            }
            assertThat(answer.getResourcesCount()).isEqualTo(1);
            stream.send(MultiplexMessage.newBuilder()
                    .setRequest(ask.toBuilder()
                            .setVersionInfo(answer.getVersionInfo())
                            .setResponseNonce(answer.getNonce())
                            .build()
                            .toByteString())
                    .build());
            Samples.put(global, Samples.timeout("u", 20));
            assertThat(DiscoveryResponse.parseFrom(stream.next().getResponse()).getResourcesCount())
                    .isEqualTo(2);
            stream.send(MultiplexMessage.newBuilder()
                    .setResponse(ByteString.copyFromUtf8("\u0001garbage"))
                    .build());
            assertThat(stream.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    @Test
    void case44_tenantsShareNothing() throws Exception {
        ResourceStore red = Samples.store();
        ResourceStore blue = Samples.store();
        GlobalNode node = opened(tenants(Map.of("red", red, "blue", blue)));
        Samples.put(red, Samples.timeout("r", 1));
        Samples.put(blue, Samples.timeout("b", 1));
        for (String tenant : List.of("red", "blue")) {
            try (RawPeer peer = new RawPeer(node.port(), "zone-1", "parley-json-specs").with("authorization", tenant)) {
                var stream = peer.globalToZone();
                stream.send(RawPeer.ask("MeshTimeout").build());
                assertThat(stream.next().getResources(0).getName()).isEqualTo(tenant.charAt(0) + ".default");
                String spec = Samples.dataplane("d", 80).spec().json();
                OwnershipCasesTest.answer(peer, "Dataplane", RawPeer.json(tenant, "default", spec));
            }
        }
        assertThat(Samples.names(red, DATAPLANE)).containsExactly("zone-1.red");
        assertThat(Samples.names(blue, DATAPLANE)).containsExactly("zone-1.blue");
        await().untilAsserted(() ->
                assertThat(Samples.names(blue, SyncKinds.ZONE_INSIGHT)).containsExactly("zone-1"));
    }

    @Test
    void case44_forgedClaimsAreRefusedAndCounted() throws Exception {
        GlobalNode node = opened(tenants(Map.of("red", Samples.store(), "blue", Samples.store())));
        refused(node, "zone-1", "", "", Status.Code.UNAUTHENTICATED, "credentials");
        refused(node, "zone-2", "red", "", Status.Code.PERMISSION_DENIED, "forged-zone");
        refused(node, "zone-1", "red", "blue", Status.Code.PERMISSION_DENIED, "forged-tenant");
        refused(node, "zone-1", "green", "", Status.Code.PERMISSION_DENIED, "tenant");
    }

    /** The tenant is what stands in place of a token; the zone is always zone-1. */
    private static GlobalNode tenants(Map<String, ResourceStore> stores) {
        ZoneAuthenticator byToken = (headers, _) -> {
            String token = SyncHeaders.text(headers, SyncHeaders.AUTHORIZATION);
            return token.isEmpty()
                    ? new ZoneAuthenticator.Answer.Refused("no token")
                    : new ZoneAuthenticator.Answer.Proven(new ZoneIdentity(token, "zone-1"));
        };
        Tenants tenants = tenant -> Optional.ofNullable(stores.get(tenant));
        return new GlobalNode(tenants, byToken, GlobalNode.settings(), 0);
    }

    @Test
    void case45_aPolicyOvertakesAFloodOfInsightsWhichCoalesceAndArrive() {
        GlobalNode node = opened(GlobalNode.on(global));
        ZoneNode zone = opened(ZoneNode.of("zone-1", first, node.port()));
        await().until(() -> zone.sync().states().stream().allMatch(LinkState.Connected.class::isInstance));
        for (int round = 1; round <= 10; round++) {
            for (int i = 0; i < 300; i++) {
                Samples.put(first, Samples.insight("dp-" + i, round));
            }
        }
        Samples.put(first, Samples.zoneTimeout("urgent", 1));
        await().untilAsserted(() -> assertThat(Samples.names(global, TIMEOUT)).containsExactly("zone-1.urgent"));
        await().untilAsserted(() -> assertThat(Samples.rows(global, new KindId("DataplaneInsight")))
                .hasSize(300)
                .allMatch(stored -> stored.resource().spec().json().contains("\"generation\":10")));
        assertThat(zone.count("parley.sync.sent.resources", "kind", "DataplaneInsight"))
                .isLessThan(3000);
    }

    @Test
    void case47_theInsightCountsWhatWasSentAndACrashLeavesTheZoneOffline() throws Exception {
        GlobalSettings settings = GlobalNode.settings()
                .withTimes(
                        Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(50), Duration.ofMillis(400));
        GlobalNode node = opened(GlobalNode.on(global, settings));
        Samples.put(global, Samples.timeout("t", 1));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            var stream = peer.globalToZone();
            stream.send(RawPeer.ask("MeshTimeout").build());
            stream.send(RawPeer.ack(stream.next()));
            Samples.put(global, Samples.timeout("t", 2));
            stream.send(RawPeer.nack(stream.next(), "why not"));
            await().untilAsserted(() -> assertThat(insight())
                    .contains(
                            "\"MeshTimeout\":{\"responsesSent\":2,\"responsesAcknowledged\":1,\"responsesRejected\":1")
                    .contains("why not", "\"version\":\"2.9.0\"", "\"kumaCpGlobalCompatible\":false"));
            assertThat(isOnline()).isTrue();
        }
        await().untilAsserted(() -> assertThat(isOnline()).isFalse());
        // As a global control plane that died left it.
        String orphan =
                "{\"subscriptions\":[{\"id\":\"x\",\"globalInstanceId\":\"dead\",\"connectTime\":\"2026-01-01T00:00:00Z\",\"generation\":3}]}";
        Samples.put(global, Resource.of(new ResourceKey(SyncKinds.ZONE_INSIGHT, "", "zone-1"), new Document(orphan)));
        assertThat(isOnline()).isTrue();
        await().untilAsserted(() -> assertThat(isOnline()).isFalse());
    }

    @Test
    void case48_aChangeThroughOneGlobalReachesZonesOfTheOther() {
        GlobalNode one = opened(GlobalNode.on(global));
        GlobalNode other = opened(GlobalNode.on(global, GlobalSettings.of("global-2", "0.1.0")));
        ResourceStore second = Samples.store();
        opened(ZoneNode.of("zone-1", first, one.port()));
        opened(ZoneNode.of("zone-2", second, other.port()));
        Samples.put(global, Samples.timeout("t", 1));
        Samples.put(first, Samples.ingress("in", "zone-1"));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("t");
            assertThat(Samples.names(second, TIMEOUT)).containsExactly("t");
            assertThat(Samples.names(second, Samples.INGRESS)).containsExactly("zone-1.in");
        });
    }

    private static HandshakeResponse handshake(RawPeer peer, String method, String... versions) {
        return ClientCalls.blockingUnaryCall(
                ClientInterceptors.intercept(peer.channel, MetadataUtils.newAttachHeadersInterceptor(peer.headers())),
                SyncMethods.handshake(method),
                CallOptions.DEFAULT,
                HandshakeRequest.newBuilder()
                        .setKumaVersion("2.1.0")
                        .addAllSupportedKdsVersions(List.of(versions))
                        .build());
    }

    private static void refused(
            GlobalNode node, String zone, String token, String tenant, Status.Code code, String reason)
            throws Exception {
        double before = node.count("parley.sync.refused", "reason", reason);
        try (RawPeer peer =
                new RawPeer(node.port(), zone).with("authorization", token).with("tenant", tenant)) {
            assertThat(peer.globalToZone().end.get(10, TimeUnit.SECONDS).getCode())
                    .isEqualTo(code);
        }
        assertThat(node.count("parley.sync.refused", "reason", reason)).isEqualTo(before + 1);
    }

    private String insight() {
        return Samples.spec(global, SyncKinds.ZONE_INSIGHT, "", "zone-1");
    }

    private boolean isOnline() {
        return ZoneInsights.isOnline(new Document(insight()));
    }

    private <T extends AutoCloseable> T opened(T made) {
        open.add(made);
        return made;
    }
}
