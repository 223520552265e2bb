package io.parley.control.app;

import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.store.postgres.PostgresStore;
import io.parley.store.postgres.PostgresUrl;
import io.parley.store.sqlite.SqliteStore;
import java.time.InstantSource;

/** Opens the store that was chosen. */
final class Stores {
    private Stores() {}

    static ResourceStore open(StoreChoice choice, DataFolder folder) {
        InstantSource clock = InstantSource.system();
        return switch (choice) {
            case StoreChoice.Sqlite _ -> SqliteStore.open(folder.path(), Retention.DEFAULT, clock);
            case StoreChoice.Memory _ -> new MemoryStore(Retention.DEFAULT, clock);
            case StoreChoice.Postgres(String url) ->
                PostgresStore.open(PostgresUrl.parse(url), Retention.DEFAULT, clock);
        };
    }
}
