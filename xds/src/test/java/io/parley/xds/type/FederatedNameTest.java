package io.parley.xds.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FederatedNameTest {
    private static final String PREFIX = "xdstp://a/envoy.config.cluster.v3.Cluster/";

    @Test
    void plainNamesStayAsTheyAre() {
        assertThat(FederatedName.canonical("b%2fa?z=1&a=2")).isEqualTo("b%2fa?z=1&a=2");
    }

    @Test
    void contextParametersHaveNoOrder() {
        assertThat(FederatedName.canonical(PREFIX + "c?z=1&a=2")).isEqualTo(PREFIX + "c?a=2&z=1");
    }

    @Test
    void anEscapeMeansTheSameInSmallLettersAndWhereItIsNotNeeded() {
        assertThat(FederatedName.canonical(PREFIX + "%5b%3a%5d%7E%61%2F"))
                .isEqualTo(FederatedName.canonical(PREFIX + "%5B%3A%5D~a%2f"))
                .isEqualTo(PREFIX + "%5B%3A%5D~a%2F");
    }

    @Test
    void aPercentSignWithoutANumberIsNoEscape() {
        assertThat(FederatedName.isWellFormed(PREFIX + "100%")).isFalse();
        assertThat(FederatedName.isWellFormed(PREFIX + "%zz")).isFalse();
        assertThat(FederatedName.isWellFormed(PREFIX + "%25")).isTrue();
        assertThat(FederatedName.canonical(PREFIX + "100%")).isEqualTo(PREFIX + "100%");
    }

    @Test
    void pathsKeepTheirSlashes() {
        assertThat(FederatedName.encodePath("a/b c%")).isEqualTo("a/b%20c%25");
    }
}
