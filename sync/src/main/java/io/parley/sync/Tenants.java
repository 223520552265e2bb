package io.parley.sync;

import io.parley.store.ResourceStore;
import java.util.Optional;

/** Where each tenant's resources are. Tenants share nothing: each has a store of its own. */
@FunctionalInterface
public interface Tenants {
    /** The store of a tenant that we know. */
    Optional<ResourceStore> find(String tenant);

    /** One tenant, without a name. */
    static Tenants single(ResourceStore store) {
        return tenant -> tenant.isEmpty() ? Optional.of(store) : Optional.empty();
    }
}
