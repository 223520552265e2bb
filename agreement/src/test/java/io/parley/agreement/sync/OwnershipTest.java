package io.parley.agreement.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private static final Map<String, String> BY_ZONE = Map.of(SyncLabels.ORIGIN, "zone", SyncLabels.ZONE, "zone-1");
    private static final Map<String, String> BY_GLOBAL = Map.of(SyncLabels.ORIGIN, "global");

    @Test
    void case28_whatAZoneMadeIsReadOnlyOnGlobal() {
        assertThat(Authorship.refusalOnGlobal(BY_ZONE))
                .contains("made in zone zone-1 and read-only here; change it there");
        assertThat(Authorship.refusalOnGlobal(BY_GLOBAL)).isEmpty();
        assertThat(Authorship.refusalOnGlobal(Map.of())).isEmpty();
    }

    @Test
    void whatGlobalMadeIsReadOnlyInAZone() {
        assertThat(Authorship.refusalInZone(BY_GLOBAL)).isPresent();
        assertThat(Authorship.refusalInZone(BY_ZONE)).isEmpty();
    }

    @Test
    void case29_aZonesPolicySaysSo() {
        assertThat(Authorship.refusalOfPolicy(Map.of(), "zone-1").orElseThrow())
                .startsWith("label kuma.io/origin: absent (expected: zone");
        assertThat(Authorship.refusalOfPolicy(BY_GLOBAL, "zone-1")).isPresent();
        assertThat(Authorship.refusalOfPolicy(Map.of(SyncLabels.ORIGIN, "zone"), "zone-1"))
                .isEmpty();
        assertThat(Authorship.refusalOfPolicy(BY_ZONE, "zone-1")).isEmpty();
        assertThat(Authorship.refusalOfPolicy(BY_ZONE, "zone-2"))
                .contains("label kuma.io/zone: zone-1 (expected: zone-2, or no such label)");
    }

    @Test
    void case30_aZonesPolicyReachesOthersOnlyFromAProducer() {
        assertThat(Travel.toZones(BY_ZONE, Travel.Reach.of("MeshTimeout"))).isFalse();
        Map<String, String> producer =
                Map.of(SyncLabels.ORIGIN, "zone", SyncLabels.ZONE, "zone-1", SyncLabels.POLICY_ROLE, "producer");
        assertThat(Travel.toZones(producer, Travel.Reach.of("MeshTimeout"))).isTrue();
        assertThat(Travel.toZones(BY_ZONE, Travel.Reach.of("ZoneIngress"))).isTrue();
        assertThat(Travel.toZones(producer, Travel.Reach.of("Dataplane"))).isFalse();
        assertThat(Travel.toZones(BY_GLOBAL, Travel.Reach.of("Mesh"))).isTrue();
    }

    @Test
    void case35_aLabelKeepsAResourceLocal() {
        Map<String, String> disabled = Map.of(SyncLabels.SYNC, "disabled");
        assertThat(Travel.toGlobal(disabled)).isFalse();
        assertThat(Travel.toZones(disabled, Travel.Reach.ALL_ZONES)).isFalse();
        assertThat(Travel.toGlobal(Map.of())).isTrue();
        assertThat(Travel.toGlobal(BY_GLOBAL)).isFalse();
    }

    @Test
    void policiesAndIngressesComeFirst() {
        assertThat(List.of("MeshTimeout", "ZoneIngress", "ZoneEgress", "Secret", "Mesh"))
                .allMatch(kind -> PriorityClass.of(kind) == PriorityClass.OPERATIONAL);
        assertThat(List.of("Dataplane", "DataplaneInsight", "ZoneIngressInsight", "ServiceInsight"))
                .allMatch(kind -> PriorityClass.of(kind) == PriorityClass.INFORMATIONAL);
        assertThat(PriorityClass.parse("informational")).contains(PriorityClass.INFORMATIONAL);
        assertThat(PriorityClass.parse("INFORMATIONAL")).isEmpty();
    }

    @Test
    void featuresWeHaveNotHeardOfAreIgnored() {
        Features features = Features.parse(List.of("zone-token", "hash-suffix", "teleport"));
        assertThat(features).isEqualTo(Features.of(Feature.HASH_SUFFIX));
        assertThat(Features.parse(features.texts())).isEqualTo(features);
    }

    @Test
    void case42_twoMinorsAreNear() {
        assertThat(ReleaseDistance.near("2.9.0", "2.11.4")).isTrue();
        assertThat(ReleaseDistance.near("2.9.0", "2.12.0")).isFalse();
        assertThat(ReleaseDistance.near("2.9.0", "3.9.0")).isFalse();
        assertThat(ReleaseDistance.near("0.0.0-preview.1", "2.9.0")).isTrue();
        assertThat(ReleaseDistance.near("unknown", "2.9.0")).isTrue();
    }
}
