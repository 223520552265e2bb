package io.parley.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteWriterTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void f3_nobodyWaitsForEverForADiskThatDoesNotAnswer() throws Exception {
        var stuck = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var made = new AtomicBoolean();
        try (var writer = new SqliteWriter(new SqliteFile(folder.resolve("a.db")), Duration.ofMillis(200))) {
            awaitAWrite(writer);
            Thread first = Thread.ofVirtual()
                    .start(() -> assertThatThrownBy(() -> writer.run(_ -> {
                                begun.countDown();
                                awaitUninterruptibly(stuck);
                                return 1;
                            }))
                            .isInstanceOf(StoreException.class));
            begun.await();

            assertThatThrownBy(() -> writer.run(_ -> {
                        made.set(true);
                        return 2;
                    }))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class));

            stuck.countDown();
            first.join();
            awaitAWrite(writer);
            assertThat(made).as("what was refused before it began").isFalse();
        }
    }

    /** The first opens the file, which may take longer than the patience of this test. */
    private static void awaitAWrite(SqliteWriter writer) {
        await().ignoreExceptionsInstanceOf(StoreException.class).until(() -> writer.<Boolean>run(_ -> true));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
