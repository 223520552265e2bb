package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is remembered of servers that speak first, and for how long. */
class LearnedSilenceTest {
    private static final int MANY = 10_000;

    private final LearnedSilence silence = new LearnedSilence();

    @Test
    void whatWasLearnedLastIsRememberedHoweverMuchWasLearnedBefore() {
        for (int i = 0; i < MANY; i++) {
            silence.serverSpokeFirst("10.0.0.1:" + i);
            assertThat(silence.isSilent("10.0.0.1:" + i)).isTrue();
        }
        assertThat(silence.isSilent("10.0.0.1:0")).isFalse();
        assertThat(silence.report()).hasSizeBetween(3_584, 4_096);
    }

    @Test
    void aServerThatIsStillHeardIsNotForgotten() {
        for (int i = 0; i < MANY; i++) {
            silence.serverSpokeFirst("mysql");
            silence.serverSpokeFirst("10.0.0.1:" + i);
        }
        assertThat(silence.report()).containsEntry("mysql", (long) MANY);
    }
}
