package io.parley.control.app;

import io.parley.store.LeaderElection;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.folder.FolderLock;
import io.parley.store.memory.MemoryStore;
import io.parley.store.postgres.LeaseTimes;
import io.parley.store.postgres.PostgresLeaderElection;
import io.parley.store.postgres.PostgresStore;
import io.parley.store.postgres.PostgresUrl;
import io.parley.store.sqlite.SqliteStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store that was chosen, open, and which of the control planes that share it leads.
 *
 * @param tenants a store for each tenant that has a name
 * @param lock on the data folder, or null if the store has it
 */
record Storage(
        ResourceStore store,
        Map<String, ResourceStore> tenants,
        LeaderElection election,
        @Nullable FolderLock lock) implements AutoCloseable {
    private static final String LEADERSHIP = "control-plane";
    private static final String SCHEMA = "parley";

    /** Nothing that is kept for one tenant can be found in what is kept for another: a file or a schema each. */
    static Storage open(StoreChoice choice, DataFolder folder, Set<String> tenants) {
        InstantSource clock = InstantSource.system();
        return switch (choice) {
            case StoreChoice.Sqlite _ ->
                open(
                        SqliteStore.open(folder.path(), Retention.DEFAULT, clock),
                        tenants,
                        tenant -> SqliteStore.open(folder.ofTenant(tenant), Retention.DEFAULT, clock),
                        LeaderElection::alone);
            case StoreChoice.Memory _ ->
                locked(
                        folder,
                        () -> open(
                                new MemoryStore(Retention.DEFAULT, clock),
                                tenants,
                                _ -> new MemoryStore(Retention.DEFAULT, clock),
                                LeaderElection::alone));
            case StoreChoice.Postgres(String text) ->
                locked(folder, () -> shared(PostgresUrl.parse(text), tenants, clock));
        };
    }

    /** What is kept elsewhere does not lock the folder; but its keys, tokens and addresses are one control plane's too. */
    private static Storage locked(DataFolder folder, Supplier<Storage> opening) {
        FolderLock lock = FolderLock.take(folder.path());
        try {
            Storage open = opening.get();
            return new Storage(open.store, open.tenants, open.election, lock);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static Storage shared(PostgresUrl url, Set<String> tenants, InstantSource clock) {
        String holder = UUID.randomUUID().toString();
        return open(
                PostgresStore.open(url, Retention.DEFAULT, clock),
                tenants,
                tenant -> PostgresStore.open(url, SCHEMA + "_" + tenant, Retention.DEFAULT, clock),
                () -> PostgresLeaderElection.start(url, LEADERSHIP, holder, LeaseTimes.DEFAULT, System::nanoTime));
    }

    /** One that cannot be opened must not leave the others open. */
    private static Storage open(
            ResourceStore store,
            Set<String> tenants,
            Function<String, ResourceStore> opening,
            Supplier<LeaderElection> election) {
        Map<String, ResourceStore> stores = new TreeMap<>();
        try {
            tenants.forEach(tenant -> stores.put(tenant, opening.apply(tenant)));
            return new Storage(store, stores, election.get(), null);
        } catch (RuntimeException e) {
            stores.values().forEach(ResourceStore::close);
            store.close();
            throw e;
        }
    }

    @Override
    public void close() {
        election.close();
        tenants.values().forEach(ResourceStore::close);
        store.close();
        if (lock != null) {
            lock.close();
        }
    }
}
