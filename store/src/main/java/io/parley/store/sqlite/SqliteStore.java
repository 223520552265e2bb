package io.parley.store.sqlite;

import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.engine.Head;
import io.parley.store.sql.SqlStore;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens the store that lies in a folder. */
public final class SqliteStore {
    private SqliteStore() {}

    /**
     * Opens the store of a data folder, which is made if it is not there.
     *
     * @throws io.parley.store.StoreException if another process has it open, or it is damaged, or cannot be written
     */
    public static ResourceStore open(Path folder, Retention retention, InstantSource clock) {
        return new SqlStore(SqliteDatabase.open(folder), retention, new Head(), clock);
    }
}
