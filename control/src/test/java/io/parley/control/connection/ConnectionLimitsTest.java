package io.parley.control.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    @Test
    void leavesDescriptorsForTheStoreAndTheOtherPort() {
        assertThat(ConnectionLimits.connections(50_000, 1_024)).isEqualTo(384);
    }

    @Test
    void takesNoMoreThanIsWantedWhereThereAreEnough() {
        assertThat(ConnectionLimits.connections(50_000, 1_048_576)).isEqualTo(50_000);
        assertThat(ConnectionLimits.connections(50_000, Long.MAX_VALUE)).isEqualTo(50_000);
    }

    @Test
    void staysOpenHoweverFewThereAre() {
        assertThat(ConnectionLimits.connections(50_000, 64)).isOne();
    }
}
