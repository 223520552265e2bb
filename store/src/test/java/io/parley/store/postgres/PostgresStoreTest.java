package io.parley.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Samples;
import io.parley.store.StoreContract;
import io.parley.store.Watch;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

@TestInstance(Lifecycle.PER_CLASS)
final class PostgresStoreTest extends StoreContract {
    private PostgresServer server;

    @BeforeAll
    void start() {
        server = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
    }

    @BeforeEach
    void reset() throws SQLException {
        server.reset();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected ResourceStore open(Retention retention) {
        return PostgresStore.open(PostgresUrl.parse(server.url()), retention, Clock.systemUTC());
    }

    @Test
    void storesOfSeveralSchemasShareNothing() {
        PostgresUrl url = PostgresUrl.parse(server.url());
        ResourceKey key = Samples.mesh("default");
        try (ResourceStore red = PostgresStore.open(url, "parley_red-1", Retention.DEFAULT, Clock.systemUTC());
                ResourceStore blue = PostgresStore.open(url, "parley_blue", Retention.DEFAULT, Clock.systemUTC());
                Watch watch = red.watch(red.revision())) {
            blue.put(Samples.put(key, 1));
            assertThat(red.find(key)).isEmpty();
            assertThat(red.revision().number()).isZero();
            red.put(Samples.put(key, 2));
            assertThat(watch.poll(Duration.ofSeconds(20))).isInstanceOf(Watch.Events.class);
            assertThat(blue.find(key).map(Samples::numberIn)).contains(1L);
        }
        assertThatThrownBy(() -> PostgresStore.open(url, "x\"; DROP", Retention.DEFAULT, Clock.systemUTC()))
                .hasMessageContaining("schema");
    }
}
