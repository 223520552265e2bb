package io.parley.control.app;

import io.parley.store.LeaderElection;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.store.postgres.LeaseTimes;
import io.parley.store.postgres.PostgresLeaderElection;
import io.parley.store.postgres.PostgresStore;
import io.parley.store.postgres.PostgresUrl;
import io.parley.store.sqlite.SqliteStore;
import java.time.InstantSource;
import java.util.UUID;

/** The store that was chosen, open, and which of the control planes that share it leads. */
record Storage(ResourceStore store, LeaderElection election) implements AutoCloseable {
    private static final String LEADERSHIP = "control-plane";

    static Storage open(StoreChoice choice, DataFolder folder) {
        InstantSource clock = InstantSource.system();
        return switch (choice) {
            case StoreChoice.Sqlite _ -> alone(SqliteStore.open(folder.path(), Retention.DEFAULT, clock));
            case StoreChoice.Memory _ -> alone(new MemoryStore(Retention.DEFAULT, clock));
            case StoreChoice.Postgres(String text) -> shared(PostgresUrl.parse(text), clock);
        };
    }

    private static Storage alone(ResourceStore store) {
        return new Storage(store, LeaderElection.alone());
    }

    private static Storage shared(PostgresUrl url, InstantSource clock) {
        ResourceStore store = PostgresStore.open(url, Retention.DEFAULT, clock);
        String holder = UUID.randomUUID().toString();
        return new Storage(
                store, PostgresLeaderElection.start(url, LEADERSHIP, holder, LeaseTimes.DEFAULT, System::nanoTime));
    }

    @Override
    public void close() {
        election.close();
        store.close();
    }
}
