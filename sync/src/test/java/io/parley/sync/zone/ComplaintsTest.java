package io.parley.sync.zone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
    private final AtomicLong now = new AtomicLong();
    private final Complaints complaints = new Complaints(now::get);

    @Test
    void aReasonIsNewsOnceUntilAnotherComes() {
        assertThat(complaints.isNews("refused")).isTrue();
        assertThat(complaints.isNews("refused")).isFalse();
        assertThat(complaints.isNews("not trusted")).isTrue();
        assertThat(complaints.isNews("refused")).isTrue();
    }

    @Test
    void whatLastsIsSaidAgainAfterAWhile() {
        assertThat(complaints.isNews("refused")).isTrue();
        now.addAndGet(Complaints.REMINDER.toNanos() - 1);
        assertThat(complaints.isNews("refused")).isFalse();
        now.addAndGet(1);
        assertThat(complaints.isNews("refused")).isTrue();
    }

    @Test
    void afterASuccessTheSameFailureIsNews() {
        assertThat(complaints.isNews("refused")).isTrue();
        complaints.forget();
        assertThat(complaints.isNews("refused")).isTrue();
    }
}
