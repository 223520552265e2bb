package io.parley.control.app;

import io.parley.control.keys.SealingStore;
import io.parley.identity.token.Token;
import io.parley.store.ResourceStore;
import io.parley.sync.Tenants;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/** A realm for each tenant. The one without a name is always there: it is the only one, or those who operate the others live in it. */
final class Realms implements Tenants, AutoCloseable {
    private static final String OPERATORS = "";

    private final Map<String, Realm> byTenant = new LinkedHashMap<>();
    private final Realm main;

    Realms(Storage storage, Realm.Ground ground) {
        main = realm(storage.store(), ground);
        byTenant.put(OPERATORS, main);
        storage.tenants().forEach((tenant, store) -> byTenant.put(tenant, realm(store, ground)));
    }

    /** What is secret lies in the store under the master key. */
    private static Realm realm(ResourceStore store, Realm.Ground ground) {
        return new Realm(new SealingStore(store, ground.masterKey()), ground);
    }

    Realm main() {
        return main;
    }

    Map<String, Realm> byTenant() {
        return Collections.unmodifiableMap(byTenant);
    }

    @Override
    public Optional<ResourceStore> find(String tenant) {
        return Optional.ofNullable(byTenant.get(tenant)).map(Realm::store);
    }

    /** A token is withdrawn in the realm that it is for; one that is for none here, by the operators. */
    boolean isRevoked(Token token) {
        return byTenant.getOrDefault(token.subject().tenant(), main)
                .revocations()
                .contains(token.id());
    }

    void start(ScheduledExecutorService timer) {
        byTenant.values().forEach(realm -> realm.start(timer));
    }

    @Override
    public void close() {
        byTenant.values().forEach(Realm::close);
    }
}
