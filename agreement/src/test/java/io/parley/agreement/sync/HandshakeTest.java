package io.parley.agreement.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private final Handshake handshake = new Handshake(List.of(SyncVersion.STATE_OF_THE_WORLD, SyncVersion.DELTA));

    @Test
    void case43_choosesTheNewestCommonVersion() {
        assertThat(agreed("0.1.0", "0.2.0")).isEqualTo(SyncVersion.DELTA);
        assertThat(agreed("0.9.0", "0.1.0")).isEqualTo(SyncVersion.STATE_OF_THE_WORLD);
        assertThat(agreed("0.2.0", "0.1.0", "0.10.0")).isEqualTo(SyncVersion.DELTA);
    }

    @Test
    void case43_refusesWhenNoneIsCommon() {
        assertThat(handshake.answer("2.1.0", List.of("0.3.0", "1.0.0")))
                .isEqualTo(new Handshake.Answer.Refused("no common sync version: release 2.1.0 supports [0.3.0, 1.0.0]"
                        + " (expected: one of [0.1.0, 0.2.0]); upgrade the older side"));
        assertThat(handshake.answer("", List.of())).isInstanceOf(Handshake.Answer.Refused.class);
    }

    @Test
    void versionsThatCannotBeReadAreIgnored() {
        assertThat(agreed("zwei", "0.2", "0.2.0-rc1", "99999999999.0.0", "0.2.0"))
                .isEqualTo(SyncVersion.DELTA);
    }

    @Test
    void newerIsByNumberNotByText() {
        assertThat(new SyncVersion(0, 10, 0)).isGreaterThan(new SyncVersion(0, 9, 3));
        assertThat(new SyncVersion(1, 0, 0)).isGreaterThan(new SyncVersion(0, 10, 1));
        assertThat(new SyncVersion(1, 0, 1)).isGreaterThan(new SyncVersion(1, 0, 0));
    }

    @Test
    void aFloodOfVersionsMakesNoLongMessage() {
        List<String> many = java.util.stream.IntStream.range(0, 100_000)
                .mapToObj(i -> "x".repeat(100) + i)
                .toList();
        assertThat(handshake.answer("9".repeat(5000), many))
                .isInstanceOfSatisfying(
                        Handshake.Answer.Refused.class,
                        refused -> assertThat(refused.message()).hasSizeLessThan(2000));
    }

    private SyncVersion agreed(String... offered) {
        return ((Handshake.Answer.Agreed) handshake.answer("2.1.0", List.of(offered)))
                .version()
                .value();
    }
}
