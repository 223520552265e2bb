package io.parley.resource.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeVersionTest {
    @ParameterizedTest
    @CsvSource({"2.6.0, 2.6.1", "2.6, 2.6.1", "2.9, 2.10", "2.6.1-beta, 2.6.1", "2.6.1-alpha, 2.6.1-beta", "1, 2"})
    void versionsComeInTheOrderOfTheirRelease(String lower, String higher) {
        assertThat(version(lower)).isLessThan(version(higher));
        assertThat(version(higher)).isGreaterThan(version(lower));
    }

    @ParameterizedTest
    @CsvSource({"2.6, 2.6.0", "v2.6, 2.6", "2.6+build1, 2.6"})
    void someVersionsAreWrittenInTwoWays(String one, String other) {
        assertThat(version(one)).isEqualByComparingTo(version(other));
    }

    @Test
    void aRangeIncludesItsLowerBoundOnly() {
        NodeVersionRange range = new NodeVersionRange(version("2.6"), version("3.0"));

        assertThat(range.contains("2.6.0")).isTrue();
        assertThat(range.contains("2.99.1")).isTrue();
        assertThat(range.contains("3.0.0")).isFalse();
        assertThat(range.contains("2.6.0-beta")).isFalse();
        assertThat(range.contains("unknown")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "latest", "2.", ".2", "2.x", "1.2.3.4.5.6.7", "99999999999"})
    void whatIsNoVersionIsInNoRange(String text) {
        assertThat(NodeVersion.parse(text)).isEmpty();
    }

    private static NodeVersion version(String text) {
        return Optional.of(text).flatMap(NodeVersion::parse).orElseThrow();
    }
}
