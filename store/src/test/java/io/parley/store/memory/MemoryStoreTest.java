package io.parley.store.memory;

import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.StoreContract;
import java.time.Clock;

final class MemoryStoreTest extends StoreContract {
    @Override
    protected ResourceStore open(Retention retention) {
        return new MemoryStore(retention, Clock.systemUTC());
    }
}
