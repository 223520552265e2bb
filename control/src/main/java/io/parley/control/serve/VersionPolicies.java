package io.parley.control.serve;

import io.parley.agreement.version.PolicySet;
import io.parley.agreement.version.VersionPolicy;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.version.VersionPolicySpec;
import io.parley.store.Cursor;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The version policies that are in the store. */
public final class VersionPolicies {
    static final KindId KIND = new KindId("VersionPolicy");

    private final ResourceStore store;

    public VersionPolicies(ResourceStore store) {
        this.store = store;
    }

    /** All of them. Reads the store, so it may block. */
    public PolicySet current() {
        List<VersionPolicy> policies = new ArrayList<>();
        Cursor after = null;
        do {
            Page page = store.list(Query.of(KIND).withLimit(Query.MAX_LIMIT).startingAfter(after));
            page.items().forEach(stored -> of(stored.resource()).ifPresent(policies::add));
            after = page.next();
        } while (after != null);
        return new PolicySet(policies);
    }

    /** What a resource of this kind says; nothing if it cannot be read, which admission does not let happen. */
    public static Optional<VersionPolicy> of(Resource resource) {
        return VersionPolicySpec.READER.read(resource.spec())
                        instanceof Result.Accepted<VersionPolicySpec>(VersionPolicySpec spec)
                ? Optional.of(spec.policy(resource.key().name()))
                : Optional.empty();
    }
}
