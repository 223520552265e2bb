package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileDescriptorsTest {
    /** Two for each connection, and 512 for everything else. */
    @ParameterizedTest
    @CsvSource({
        "100512, 50000",
        "100511, 49999",
        "1048576, 50000",
        "9223372036854775807, 50000",
        "1024, 256",
        "514, 1",
        "512, 1",
        "256, 1"
    })
    void thereIsOneForEachEndOfAConnectionAndSomeForTheRest(long descriptors, int connections) {
        assertThat(FileDescriptors.connections(50_000, descriptors)).isEqualTo(connections);
    }

    @Test
    void noMoreThanThisMachineAllowsFor() {
        assertThat(FileDescriptors.connections(7)).isBetween(1, 7);
    }
}
