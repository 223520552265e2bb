package io.parley.store.sqlite;

import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.StoreContract;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest extends StoreContract {
    @TempDir
    Path folder;

    @Override
    protected ResourceStore open(Retention retention) {
        return SqliteStore.open(folder, retention, Clock.systemUTC());
    }
}
