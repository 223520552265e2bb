package io.parley.proxy.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Logged;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FirstWordTest {
    private final Logged logged = Logged.by(FirstWord.class);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        logged.close();
        timer.close();
    }

    private FirstWord within(Duration patience) {
        return new FirstWord(timer, patience, "Dataplane ghost in mesh default");
    }

    @Test
    void saysOnceWhatHasToBeAppliedHoweverOftenItConnectsAndThatItWas() {
        FirstWord word = within(Duration.ofMillis(1));
        word.connected();
        word.connected();
        await().until(() -> !logged.lines().isEmpty());
        word.connected();
        word.heard();
        word.heard();
        timer.close();

        assertThat(logged.lines()).hasSize(2);
        assertThat(logged.lines().getFirst()).contains("no configuration", "expected: Dataplane ghost in mesh default");
        assertThat(logged.lines().getLast()).contains("now");
    }

    @Test
    void saysNothingWhereItIsToldInTime() {
        FirstWord word = within(Duration.ofMillis(1));
        word.heard();
        word.connected();
        timer.close();

        assertThat(logged.lines()).isEmpty();
    }
}
