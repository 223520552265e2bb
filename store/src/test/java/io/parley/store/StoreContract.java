package io.parley.store;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** All that every store must do, in the time that a test may hang. A new store extends this and says how it is opened. */
@Timeout(120)
public abstract class StoreContract implements CommitContract, ListContract, WatchContract, ConcurrencyContract {
    private final List<ResourceStore> opened = new ArrayList<>();

    /** Opens an empty store. */
    protected abstract ResourceStore open(Retention retention);

    @Override
    public final ResourceStore fresh(Retention retention) {
        ResourceStore store = open(retention);
        opened.add(store);
        return store;
    }

    @AfterEach
    void closeAll() {
        opened.forEach(ResourceStore::close);
    }
}
