package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
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
import io.parley.sync.auth.TrustedTenantHeader;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.cache.Pace;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.status.ZoneInsights;
import io.parley.sync.zone.LinkState;
import io.parley.wire.sync.proto.HandshakeRequest;
import io.parley.wire.sync.proto.HandshakeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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
                RawPeer kuma = new RawPeer(node.port(), "zone-3", "hash-suffix");
                RawPeer current = new RawPeer(node.port(), "zone-4", "producer-policy-flow")) {
            var without = old.globalToZone();
            without.send(RawPeer.ask("MeshTimeout").build());
            assertThat(without.next().getResourcesCount()).isEqualTo(1);
            var inHeaders = current.globalToZone();
            inHeaders.send(RawPeer.ask("MeshTimeout").build());
            assertThat(inHeaders.next().getResourcesCount()).isEqualTo(2);
            var inRequests = kuma.globalToZone();
            inRequests.send(
                    RawPeer.askAnnouncing("MeshTimeout", "producer-policy-flow").build());
            assertThat(inRequests.next().getResourcesCount()).isEqualTo(2);
            await().untilAsserted(() -> assertThat(Samples.spec(global, SyncKinds.ZONE_INSIGHT, "", "zone-3"))
                    .contains("[\"hash-suffix\",\"producer-policy-flow\"]"));
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

    @Test
    void case44_aTrustedProxyNamesTheTenantAndNobodyElseDoes() throws Exception {
        ZoneAuthenticator namesNone = (_, _) -> new ZoneAuthenticator.Answer.Proven(new ZoneIdentity("", "zone-1"));
        Predicate<Attributes> local = from -> from.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) != null;
        ResourceStore red = Samples.store();
        Samples.put(red, Samples.timeout("r", 1));
        Tenants tenants = tenant -> tenant.equals("red") ? Optional.of(red) : Optional.empty();
        GlobalNode trusting =
                opened(new GlobalNode(tenants, new TrustedTenantHeader(namesNone, local), GlobalNode.settings(), 0));
        try (RawPeer peer = new RawPeer(trusting.port(), "zone-1").with("tenant", "red")) {
            var stream = peer.globalToZone();
            stream.send(RawPeer.ask("MeshTimeout").build());
            assertThat(stream.next().getResources(0).getName()).isEqualTo("r.default");
        }
        refused(trusting, "zone-1", "", "green", Status.Code.PERMISSION_DENIED, "tenant");
        GlobalNode wary = opened(
                new GlobalNode(tenants, new TrustedTenantHeader(namesNone, _ -> false), GlobalNode.settings(), 0));
        refused(wary, "zone-1", "", "red", Status.Code.PERMISSION_DENIED, "forged-tenant");
    }

    @Test
    void case44_aTenantThatHasAllItsZonesTakesNoneOfAnothers() throws Exception {
        GlobalNode node = opened(new GlobalNode(
                tenant -> Optional.of(tenant.equals("red") ? global : first),
                (headers, _) -> new ZoneAuthenticator.Answer.Proven(new ZoneIdentity(
                        SyncHeaders.text(headers, SyncHeaders.AUTHORIZATION),
                        SyncHeaders.text(headers, SyncHeaders.CLIENT_ID))),
                GlobalNode.settings().withMostZones(1),
                0));
        try (RawPeer only = new RawPeer(node.port(), "zone-1").with("authorization", "red");
                RawPeer others = new RawPeer(node.port(), "zone-2").with("authorization", "blue")) {
            for (RawPeer peer : List.of(only, only, others)) {
                var stream = peer.zoneToGlobal();
                assertThat(stream.next().getResourceNamesSubscribeCount()).isEqualTo(1);
            }
            refused(node, "zone-2", "red", "", Status.Code.RESOURCE_EXHAUSTED, "zones");
        }
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
        Pace pace = new Pace(Duration.ofSeconds(2), Map.of());
        ZoneNode zone = opened(
                new ZoneNode(first, node.port(), ZoneNode.settings("zone-1").withPace(pace)));
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
        long policy = Samples.rows(global, TIMEOUT).getFirst().revision().number();
        assertThat(Samples.rows(global, new KindId("DataplaneInsight")))
                .as("insights that were written before the policy and arrived after it")
                .anyMatch(stored -> stored.revision().number() > policy);
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
                    .contains("why not", "\"version\":\"2.9.0\"", "\"kumaCpGlobalCompatible\":false")
                    .contains("\"syncVersion\":\"0.2.0\"", "\"features\":[]"));
            assertThat(isOnline()).isTrue();
            // Another global control plane, which has not seen the rejection, leaves it; being taken at last settles
            // it.
            opened(GlobalNode.on(global, GlobalSettings.of("global-2", "0.1.0")))
                    .sync()
                    .serve("");
            Samples.put(global, Samples.timeout("t", 3));
            DeltaDiscoveryResponse third = stream.next();
            assertThat(insight()).contains("why not");
            await().until(() -> gauge(node, "parley.sync.zone.staleness.seconds") > 0);
            stream.send(RawPeer.ack(third));
            await().untilAsserted(() -> assertThat(insight()).doesNotContain("why not"));
            assertThat(gauge(node, "parley.sync.zone.staleness.seconds")).isZero();
            assertThat(gauge(node, "parley.sync.zones.connected")).isEqualTo(1);
        }
        await().untilAsserted(() -> assertThat(isOnline()).isFalse());
        await().until(() -> gauge(node, "parley.sync.zone.staleness.seconds") > 0);
        assertThat(gauge(node, "parley.sync.zones.connected")).isZero();
        // As a global control plane that died left it.
        String orphan =
                "{\"subscriptions\":[{\"id\":\"x\",\"globalInstanceId\":\"dead\",\"connectTime\":\"2026-01-01T00:00:00Z\",\"generation\":3}]}";
        assertThat(ZoneInsights.isOnline(new Document(orphan))).isTrue();
        Samples.put(global, Resource.of(new ResourceKey(SyncKinds.ZONE_INSIGHT, "", "zone-1"), new Document(orphan)));
        await().untilAsserted(() -> assertThat(isOnline()).isFalse());
    }

    @Test
    void case47_aGlobalThatComesBackEndsTheConnectionsOfItsEarlierLifeAtOnceAndNobodyElses() {
        for (String zone : List.of("zone-1", "zone-2")) {
            Samples.put(global, Resource.of(new ResourceKey(SyncKinds.ZONE, "", zone), Document.EMPTY));
            String instance = zone.equals("zone-1") ? "global-1" : "another";
            Samples.put(
                    global,
                    Resource.of(
                            new ResourceKey(SyncKinds.ZONE_INSIGHT, "", zone),
                            new Document("{\"subscriptions\":[{\"id\":\"x\",\"globalInstanceId\":\"" + instance
                                    + "\",\"connectTime\":\"2026-01-01T00:00:00Z\",\"generation\":3}]}")));
        }
        assertThat(isOnline()).isTrue();
        opened(GlobalNode.on(global)).sync().serve("");
        await().untilAsserted(() -> assertThat(isOnline()).isFalse());
        assertThat(Samples.spec(global, SyncKinds.ZONE_INSIGHT, "", "zone-2")).doesNotContain("disconnectTime");
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

    private static double gauge(GlobalNode node, String name) {
        return node.meters.get(name).gauge().value();
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
