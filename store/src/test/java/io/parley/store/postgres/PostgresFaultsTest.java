package io.parley.store.postgres;

import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.store.Event;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import io.parley.store.Watch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** Two control planes on one server, and what each sees when the server or the other one fails. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
final class PostgresFaultsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;

    private PostgresServer server;
    private ResourceStore one;
    private ResourceStore other;

    @BeforeAll
    void start() {
        server = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
    }

    @BeforeEach
    void open() throws SQLException {
        server.reset();
        one = open(server.url());
        other = open(server.url());
    }

    private static ResourceStore open(String url) {
        return PostgresStore.open(PostgresUrl.parse(url), Retention.DEFAULT, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aChangeThroughOneIsWatchedOnTheOther() {
        try (Watch watch = other.watch(Revision.START)) {
            Stored stored =
                    one.put(numbered(timeout("t"), 1), Expected.absent()).stored();
            assertThat(watch.poll(PATIENCE))
                    .isInstanceOfSatisfying(
                            Watch.Events.class,
                            events -> assertThat(events.events()).containsExactly(new Event.Written(stored)));
        }
    }

    @Test
    void f3_aDatabaseThatHangsAnswersAsUnavailableAndIsUsedAgainWhenItIsBack() {
        one.put(numbered(timeout("t"), 1), Expected.absent());
        server.freeze();
        try {
            assertUnavailable(() -> one.put(numbered(timeout("t"), 2), Expected.anything()));
            assertUnavailable(() -> one.find(timeout("t")));
        } finally {
            server.thaw();
        }
        putUntilDone(one, 3);
        assertThat(one.find(timeout("t")).orElseThrow().resource()).isEqualTo(numbered(timeout("t"), 3));
    }

    @Test
    void f3_aCrashOfTheDatabaseLosesNothingThatWasAcknowledgedAndNoEvent() {
        try (Watch watch = other.watch(Revision.START)) {
            one.put(numbered(timeout("t"), 1), Expected.absent());
            server.kill();
            assertUnavailable(() -> one.put(numbered(timeout("t"), 2), Expected.anything()));
            server.start();
            putUntilDone(one, 3);
            for (long seen = 0; seen < 2; ) {
                seen = pollUntilDone(watch).through().number();
            }
            assertThat(other.revision()).isEqualTo(new Revision(2));
        }
    }

    @Test
    void aWriterThatStopsInTheMidstOfACommitDoesNotKeepTheOthersOut() throws SQLException {
        try (Connection stuck = server.connect();
                Statement statement = stuck.createStatement()) {
            statement.execute("SET idle_in_transaction_session_timeout = 3000");
            stuck.setAutoCommit(false);
            statement.execute("SELECT 1 FROM parley.history FOR UPDATE");
            putUntilDone(one, 1);
        }
        assertThat(one.revision()).isEqualTo(new Revision(1));
    }

    @Test
    void aLostNotificationIsMadeUpFor() throws SQLException {
        try (Watch watch = other.watch(Revision.START);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE parley.history DISABLE TRIGGER announce");
            one.put(numbered(timeout("t"), 1), Expected.absent());
            assertThat(watch.poll(PATIENCE)).isInstanceOf(Watch.Events.class);
        }
    }

    @Test
    void aCutListenerComesBackAndCatchesUp() throws SQLException {
        try (Watch watch = other.watch(Revision.START);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE '%LISTEN%'"
                    + " AND pid <> pg_backend_pid()");
            one.put(numbered(timeout("t"), 1), Expected.absent());
            assertThat(watch.poll(PATIENCE)).isInstanceOf(Watch.Events.class);
        }
    }

    @Test
    void aNewerSchemaIsRefused() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE parley.schema_version SET version = 99");
        }
        assertThatThrownBy(() -> open(server.url()))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.Unusable.class));
    }

    @Test
    void aWrongPasswordIsRefusedAndNotShown() {
        assertThatThrownBy(() -> open(server.url().replace("p%40ss", "hunter2")))
                .isInstanceOf(StoreException.class)
                .hasMessageNotContaining("hunter2");
    }

    private static void assertUnavailable(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class));
    }

    private static void putUntilDone(ResourceStore store, long number) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                store.put(numbered(timeout("t"), number), Expected.anything());
                return;
            } catch (StoreException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class);
            }
        }
        throw new AssertionError("unavailable " + ATTEMPTS + " times");
    }

    private static Watch.Events pollUntilDone(Watch watch) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return (Watch.Events) watch.poll(PATIENCE);
            } catch (StoreException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class);
            }
        }
        throw new AssertionError("unavailable " + ATTEMPTS + " times");
    }
}
