package io.parley.xds.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.agreement.version.FeatureTable;
import io.parley.agreement.version.VersionChoice;
import io.parley.xds.type.ApiVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class XdsVersionsTest {
    @Test
    void c1_noFeaturesMeanVersion2() {
        assertThat(chosen(Set.of(), Map.of())).isEqualTo(ApiVersion.V2);
    }

    @Test
    void c2_theFeatureMeansVersion3() {
        assertThat(chosen(Set.of("xds_v3"), Map.of())).isEqualTo(ApiVersion.V3);
        assertThat(chosen(Set.of("xds_v3"), Map.of(XdsVersions.V3_VARIABLE, "true")))
                .isEqualTo(ApiVersion.V3);
    }

    @Test
    void c6_theEnvironmentCanTurnVersion3Off() {
        assertThat(chosen(Set.of("xds_v3"), Map.of(XdsVersions.V3_VARIABLE, "false")))
                .isEqualTo(ApiVersion.V2);
    }

    /** The table of this release plus one line: nothing else changes to add a version and drop the oldest. */
    @Test
    void oneMoreLineDropsVersion2() {
        FeatureTable<String> next = new FeatureTable<>(XdsVersions.TABLE.oldestFirst().stream()
                        .map(line -> new FeatureTable.Line<>(line.version().name(), line.feature()))
                        .toList())
                .then("V3.1", "xds_v3_1");

        assertThat(next.window().preferredFirst()).containsExactly("V3.1", "V3");
        assertThat(next.choose(List.of("xds_v3", "xds_v3_1")))
                .isInstanceOfSatisfying(
                        VersionChoice.Agreed.class,
                        agreed -> assertThat(agreed.decision().value()).isEqualTo("V3.1"));
        assertThat(next.choose(List.of("xds_v3")))
                .isInstanceOfSatisfying(
                        VersionChoice.Agreed.class,
                        agreed -> assertThat(agreed.decision().value()).isEqualTo("V3"));
        assertThat(next.choose(List.of())).isInstanceOf(VersionChoice.NothingInCommon.class);
    }

    private static ApiVersion chosen(Set<String> features, Map<String, String> environment) {
        XdsServer server = new XdsServer("x:1", new ChannelCredentials.Insecure(), List.of(), features);
        return switch (XdsVersions.choose(server, environment)) {
            case VersionChoice.Agreed<ApiVersion>(var decision) -> decision.value();
            case VersionChoice.NothingInCommon<ApiVersion>(String because) -> throw new AssertionError(because);
        };
    }
}
