package io.parley.store.postgres;

import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.StoreContract;
import java.sql.SQLException;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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
}
