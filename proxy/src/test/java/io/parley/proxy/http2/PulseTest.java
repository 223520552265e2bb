package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.http2.Pulse.Beat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PulseTest {
    private final Pulse pulse = new Pulse();
    private long now;
    private int sounds;
    private int messages;
    private int begun = 1;

    private Beat after(int seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
        return pulse.look(now, sounds, messages, begun, true);
    }

    @Test
    void oneThatDoesNotAnswerIsGivenUp() {
        assertThat(after(0)).isEqualTo(Beat.NOTHING);
        assertThat(after(10)).isEqualTo(Beat.NOTHING);
        assertThat(after(1)).isEqualTo(Beat.ASK);
        assertThat(pulse.isInDoubt()).isTrue();
        assertThat(after(10)).isEqualTo(Beat.NOTHING);
        assertThat(after(1)).isEqualTo(Beat.GIVE_UP);
    }

    @Test
    void oneThatOwesNothingIsNotAsked() {
        after(0);
        assertThat(pulse.look(now + TimeUnit.HOURS.toNanos(1), sounds, messages, begun, false))
                .isEqualTo(Beat.NOTHING);
    }

    /** A server of gRPC ends the connection at the third question that comes too soon. */
    @Test
    void oneThatAnswersIsNotAskedOften() {
        after(0);
        int questions = 0;
        for (int second = 0; second < 300; second++) {
            begun++;
            if (after(1) == Beat.ASK) {
                questions++;
                sounds++;
            }
        }
        assertThat(questions).isEqualTo(3);
        assertThat(after(300)).isEqualTo(Beat.ASK);
    }

    @Test
    void withoutANewRequestItIsAskedOnceInFiveMinutes() {
        after(0);
        assertThat(after(11)).isEqualTo(Beat.ASK);
        sounds++;
        assertThat(after(1)).isEqualTo(Beat.NOTHING);
        assertThat(pulse.isInDoubt()).isFalse();
        assertThat(after(300)).isEqualTo(Beat.NOTHING);
        assertThat(after(11)).isEqualTo(Beat.ASK);
    }

    @Test
    void oneThatSaysSomethingCanBeAskedAgain() {
        after(0);
        for (int i = 0; i < 10; i++) {
            assertThat(after(11)).isEqualTo(Beat.ASK);
            sounds++;
            messages++;
            assertThat(after(1)).isEqualTo(Beat.NOTHING);
        }
    }
}
