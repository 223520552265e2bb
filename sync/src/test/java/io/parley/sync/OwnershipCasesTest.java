package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.INGRESS;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.parley.agreement.sync.Authorship;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.sync.codec.Encoding;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.status.ZoneInsights;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 27 to 36 and 40: who owns what, and what it is called where. */
class OwnershipCasesTest {
    private static final KindId GLOBAL_SECRET = new KindId("GlobalSecret");

    private final ResourceStore global = Samples.store();
    private final ResourceStore first = Samples.store();
    private final ResourceStore second = Samples.store();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final GlobalNode node = opened(GlobalNode.on(global));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void case27_namesThatHashAlikeDoNotOverwriteEachOther() throws Exception {
        String name = "p-2254b2x84xcf54d4";
        try (RawPeer eu = new RawPeer(node.port(), "eu", "hash-suffix", "parley-json-specs");
                RawPeer euw = new RawPeer(node.port(), "euw", "hash-suffix", "parley-json-specs")) {
            String spec = Samples.timeout("p", 20).spec().json();
            assertThat(answer(eu, RawPeer.json(name, "default", spec)).hasErrorDetail())
                    .isFalse();
            DeltaDiscoveryRequest refused = answer(euw, RawPeer.json(name, "default", spec.replace("20s", "9s")));
            assertThat(refused.getErrorDetail().getMessage()).contains(name, "not a copy of this one");
        }
        assertThat(Samples.spec(global, TIMEOUT, "default", name)).contains("20s");
    }

    @Test
    void case28_aZonesPolicyIsReadOnlyOnGlobal() {
        zone("zone-1", first);
        Samples.put(first, Samples.zoneTimeout("example-timeout", 10));
        await().untilAsserted(
                        () -> assertThat(Samples.names(global, TIMEOUT)).containsExactly("zone-1.example-timeout"));
        Resource copy = row(global, TIMEOUT, "default", "zone-1.example-timeout");
        assertThat(copy.labels())
                .containsEntry("kuma.io/origin", "zone")
                .containsEntry("kuma.io/zone", "zone-1")
                .containsEntry("kuma.io/display-name", "example-timeout");
        assertThat(Authorship.refusalOnGlobal(copy.labels())).isPresent();
    }

    @Test
    void case30_aZonesPolicyStaysItsOwnUnlessItIsAProducers() {
        zone("zone-1", first);
        zone("zone-2", second);
        Samples.put(first, Samples.zoneTimeout("own", 10));
        Samples.put(
                first,
                Samples.timeout("offered", 11)
                        .withLabels(Map.of("kuma.io/origin", "zone", "kuma.io/policy-role", "producer")));
        await().untilAsserted(() -> assertThat(Samples.names(second, TIMEOUT)).containsExactly("zone-1.offered"));
        assertThat(row(second, TIMEOUT, "default", "zone-1.offered").labels())
                .containsEntry("kuma.io/origin", "global")
                .containsEntry("kuma.io/zone", "zone-1");
        assertThat(Samples.names(global, TIMEOUT)).containsExactly("zone-1.offered", "zone-1.own");
        assertThat(Samples.names(first, TIMEOUT)).containsExactly("offered", "own");
    }

    @Test
    void case31_whatAZoneClaimsIsRewrittenToWhoItIs() throws Exception {
        try (RawPeer peer = new RawPeer(node.port(), "zone-1", "parley-json-specs")) {
            String spec = Samples.dataplane("d", 80)
                    .spec()
                    .json()
                    .replace("\"kuma.io/service\"", "\"kuma.io/zone\":\"zone-9\",\"kuma.io/service\"");
            answer(peer, "Dataplane", RawPeer.json("d", "default", spec));
        }
        await().untilAsserted(() -> assertThat(Samples.spec(global, DATAPLANE, "default", "zone-1.d"))
                .contains("\"kuma.io/zone\":\"zone-1\"")
                .doesNotContain("zone-9"));
        assertThat(node.count("parley.sync.attribution.rewrites")).isEqualTo(1);
        try (RawPeer peer = new RawPeer(node.port(), "zone-1", "parley-json-specs")) {
            String spec = Samples.ingress("i", "zone-1")
                    .spec()
                    .json()
                    .replace(
                            "\"zone\":",
                            "\"availableServices\":[{\"mesh\":\"default\",\"instances\":1,\"tags\":"
                                    + "{\"kuma.io/service\":\"web\",\"kuma.io/zone\":\"zone-8\"}}],\"zone\":");
            answer(peer, "ZoneIngress", RawPeer.json("i", "", spec));
        }
        await().untilAsserted(() -> assertThat(Samples.spec(global, INGRESS, "", "zone-1.i"))
                .contains("\"kuma.io/zone\":\"zone-1\"")
                .doesNotContain("zone-8"));
        assertThat(node.count("parley.sync.attribution.rewrites")).isEqualTo(2);
    }

    @Test
    void case32_theSameNameInTwoZonesAndGlobalIsThreePoliciesAndTwoInEachZone() {
        zone("zone-1", first);
        zone("zone-2", second);
        Samples.put(first, Samples.zoneTimeout("p", 1));
        Samples.put(second, Samples.zoneTimeout("p", 2));
        Samples.put(global, Samples.timeout("p", 3));
        await().untilAsserted(() -> {
            assertThat(Samples.names(global, TIMEOUT)).containsExactly("p", "zone-1.p", "zone-2.p");
            assertThat(Samples.names(first, TIMEOUT)).hasSize(2).contains("p");
        });
        assertThat(Samples.spec(first, TIMEOUT, "default", "p")).contains("\"1s\"");
        Samples.put(global, Samples.timeout("p", 4));
        await().untilAsserted(() -> assertThat(Samples.rows(first, TIMEOUT))
                .anyMatch(stored -> stored.resource().spec().json().contains("\"4s\"")));
        Samples.delete(global, Samples.timeout("p", 4));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).containsExactly("p"));
        assertThat(Samples.names(global, TIMEOUT)).containsExactly("zone-1.p", "zone-2.p");
    }

    @Test
    void case33_aZonesSecretIsKeptAndGlobalsIsRejected() {
        Samples.put(first, Samples.secret("s", "bG9jYWw="));
        Samples.put(global, Samples.secret("s", "Z2xvYmFs"));
        Samples.put(global, Samples.secret("t", "Z2xvYmFs"));
        ZoneNode zone = zone("zone-1", first);
        KindId secret = new KindId("Secret");
        await().untilAsserted(() -> assertThat(Samples.names(first, secret)).containsExactly("s", "t"));
        assertThat(Samples.spec(first, secret, "default", "s")).contains("bG9jYWw=");
        await().untilAsserted(() -> assertThat(zone.count("parley.sync.received.rejected", "kind", "Secret"))
                .isEqualTo(1));
        await().untilAsserted(() -> assertThat(Samples.spec(global, SyncKinds.ZONE_INSIGHT, "", "zone-1"))
                .contains("user error"));
    }

    @Test
    void aMeshThatTheZoneMadeBeforeIsReplaced() {
        Samples.put(first, Samples.mesh("default"));
        Samples.put(global, Samples.mesh("default").withSpec(new Document("{\"routing\":{\"zoneEgress\":true}}")));
        zone("zone-1", first);
        await().untilAsserted(() -> assertThat(Samples.spec(first, new KindId("Mesh"), "", "default"))
                .contains("zoneEgress"));
    }

    @Test
    void case34_disablingAZoneWithdrawsWhatItOffersAndDeletingItTakesAllAlong() {
        ZoneNode zone1 = zone("zone-1", first);
        zone("zone-2", second);
        Samples.put(first, Samples.ingress("in", "zone-1"));
        Samples.put(first, Samples.dataplane("web-1", 80));
        await().untilAsserted(() -> assertThat(Samples.names(second, INGRESS)).containsExactly("zone-1.in"));
        assertThat(Samples.names(first, INGRESS)).containsExactly("in");
        ResourceKey zone = new ResourceKey(SyncKinds.ZONE, "", "zone-1");
        Samples.put(global, Resource.of(zone, new Document("{\"enabled\":false}")));
        await().untilAsserted(() -> assertThat(Samples.names(second, INGRESS)).isEmpty());
        assertThat(Samples.names(global, INGRESS)).containsExactly("zone-1.in");
        Samples.put(global, Resource.of(zone, new Document("{\"enabled\":true}")));
        await().untilAsserted(() -> assertThat(Samples.names(second, INGRESS)).containsExactly("zone-1.in"));
        await().untilAsserted(() -> assertThat(isOnline("zone-1")).isTrue());
        zone1.close();
        await().untilAsserted(() -> assertThat(isOnline("zone-1")).isFalse());
        assertThat(Samples.names(second, INGRESS)).containsExactly("zone-1.in");
        global.delete(zone, Expected.anything());
        await().untilAsserted(() -> assertThat(Samples.names(second, INGRESS)).isEmpty());
        assertThat(Samples.names(global, DATAPLANE)).isEmpty();
        assertThat(global.find(new ResourceKey(SyncKinds.ZONE_INSIGHT, "", "zone-1")))
                .isEmpty();
    }

    @Test
    void case35_aLabelKeepsAResourceWhereItIs() {
        Map<String, String> stay = Map.of("kuma.io/kds-sync", "disabled");
        zone("zone-1", first);
        Samples.put(global, Samples.timeout("local", 1).withLabels(stay));
        Samples.put(first, Samples.dataplane("local", 1).withLabels(stay));
        Samples.put(global, Samples.timeout("goes", 1));
        Samples.put(first, Samples.dataplane("goes", 1));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("goes");
            assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.goes");
        });
        Samples.put(global, Samples.timeout("goes", 1).withLabels(stay));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void case36_ofSigningKeysOnlyThePublicPartLeaves(String algorithm) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        globalSecret("zone-token-signing-key-1", pem("PRIVATE KEY", pair.getPrivate()));
        globalSecret("zone-token-signing-key-2", "-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n-----END PRIVATE KEY-----\n");
        for (String name : List.of(
                "envoy-admin-ca",
                "admin-user-token",
                "inter-cp-ca",
                "user-token-revocations",
                "user-token-signing-key-1")) {
            globalSecret(name, "private");
        }
        Samples.put(
                global,
                Resource.of(new ResourceKey(GLOBAL_SECRET, "", "sealed"), new Document("{\"data\":\"QQ==\"}"))
                        .withLabels(Map.of("parley.io/sealed", "true")));
        globalSecret("shared", "shared");
        zone("zone-1", first);
        await().untilAsserted(() -> assertThat(Samples.names(first, GLOBAL_SECRET))
                .containsExactly("shared", "zone-token-signing-public-key-1"));
        String data = row(first, GLOBAL_SECRET, "", "zone-token-signing-public-key-1")
                .spec()
                .tree()
                .path("data")
                .asText();
        assertThat(new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII))
                .isEqualTo(pem("PUBLIC KEY", pair.getPublic()));
    }

    private static String pem(String type, Key key) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }

    @Test
    void case40_hashedNamesAndTheUpgradeToThem() throws Exception {
        Samples.put(first, Samples.zoneTimeout("default-timeout-zone-1", 1));
        Samples.put(global, Samples.timeout("default-timeout-global", 1));
        ZoneNode plain = zone("zone-1", first);
        await().untilAsserted(() -> {
            assertThat(Samples.names(global, TIMEOUT))
                    .containsExactly("default-timeout-global", "zone-1.default-timeout-zone-1");
            assertThat(Samples.names(first, TIMEOUT))
                    .containsExactly("default-timeout-global", "default-timeout-zone-1");
        });
        plain.close();
        opened(new ZoneNode(first, node.port(), ZoneNode.settings("zone-1").withNames(Encoding.Names.HASHED)));
        await().untilAsserted(() -> {
            assertThat(Samples.names(global, TIMEOUT))
                    .containsExactly("default-timeout-global", "default-timeout-zone-1-c58w24w4vw27f454");
            assertThat(Samples.names(first, TIMEOUT))
                    .containsExactly("default-timeout-global-54dbd4c66zwbcf9c", "default-timeout-zone-1");
        });
    }

    private boolean isOnline(String zone) {
        return global.find(new ResourceKey(SyncKinds.ZONE_INSIGHT, "", zone))
                .map(stored -> ZoneInsights.isOnline(stored.resource().spec()))
                .orElse(false);
    }

    private void globalSecret(String name, String value) {
        String data = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.US_ASCII));
        Samples.put(
                global,
                Resource.of(new ResourceKey(GLOBAL_SECRET, "", name), new Document("{\"data\":\"" + data + "\"}")));
    }

    private static DeltaDiscoveryRequest answer(RawPeer peer, io.envoyproxy.envoy.service.discovery.v3.Resource item)
            throws InterruptedException {
        return answer(peer, "MeshTimeout", item);
    }

    /** What global says to an item that a peer sends as its whole state. */
    static DeltaDiscoveryRequest answer(
            RawPeer peer, String kind, io.envoyproxy.envoy.service.discovery.v3.Resource... items)
            throws InterruptedException {
        var stream = peer.zoneToGlobal();
        for (int i = 0; i < SyncKinds.toGlobal().size(); i++) {
            stream.next();
        }
        stream.send(ProtocolCasesTest.response(kind, items));
        return stream.next();
    }

    private static Resource row(ResourceStore store, KindId kind, String space, String name) {
        return store.find(new ResourceKey(kind, space, name)).orElseThrow().resource();
    }

    private ZoneNode zone(String name, ResourceStore store) {
        return opened(ZoneNode.of(name, store, node.port()));
    }

    private <T extends AutoCloseable> T opened(T made) {
        open.add(made);
        return made;
    }
}
