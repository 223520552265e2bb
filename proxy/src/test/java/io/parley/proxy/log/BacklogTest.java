package io.parley.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nothing that was taken is lost without a word. */
class BacklogTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Integer> done = new CopyOnWriteArrayList<>();

    @Test
    void whatComesAfterTheEndIsNotTaken() {
        Backlog<Integer> backlog = new Backlog<>("test", done::addAll, _ -> {});
        assertThat(backlog.offer(1)).isTrue();
        backlog.end();
        assertThat(backlog.await(PATIENCE)).isTrue();
        assertThat(backlog.offer(2)).isFalse();
        assertThat(done).containsExactly(1);
    }

    @Test
    void aMistakeInOneThingDoesNotKeepOthersFromBeingDone() {
        Backlog<Integer> backlog = new Backlog<>(
                "test",
                some -> {
                    if (some.contains(1)) {
                        throw new IllegalArgumentException("a mistake");
                    }
                    done.addAll(some);
                },
                _ -> {});
        assertThat(backlog.offer(1)).isTrue();
        AtomicInteger next = new AtomicInteger(2);
        await().atMost(PATIENCE).until(() -> backlog.offer(next.getAndIncrement()) && !done.isEmpty());
        backlog.end();
        assertThat(backlog.await(PATIENCE)).isTrue();
    }

    @Test
    void whatIsLeftUndoneIsTold() {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Integer> left = new CompletableFuture<>();
        Backlog<Integer> backlog = new Backlog<>(
                "test",
                _ -> {
                    begun.complete(null);
                    try {
                        new CompletableFuture<Void>().get();
                    } catch (InterruptedException | ExecutionException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                left::complete);
        assertThat(backlog.offer(1)).isTrue();
        assertThat(begun).succeedsWithin(PATIENCE);
        assertThat(backlog.offer(2)).isTrue();
        backlog.end();
        assertThat(backlog.await(Duration.ZERO)).isFalse();
        assertThat(left).succeedsWithin(PATIENCE).isEqualTo(1);
    }
}
