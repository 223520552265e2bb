package io.parley.control.access;

import io.parley.identity.token.Subject;
import java.util.Set;

/**
 * Somebody who calls the API, and proved it.
 *
 * @param tenant in whose realm they act; empty in that of the operators
 */
public record Caller(String name, Set<String> groups, String tenant) {
    /** Members may do everything. */
    public static final String ADMIN = "admin";

    /** Members may read everything but secrets. */
    public static final String READER = "reader";

    public static final Set<String> GROUPS = Set.of(ADMIN, READER);

    public Caller {
        groups = Set.copyOf(groups);
    }

    public static Caller of(Subject.User user) {
        return new Caller(user.name(), user.groups(), user.tenant());
    }

    /** The same caller in the realm of a tenant. */
    public Caller in(String realm) {
        return new Caller(name, groups, realm);
    }

    /** For the log, which is that of all tenants. */
    public String fullName() {
        return tenant.isEmpty() ? name : tenant + "/" + name;
    }

    public boolean isAdmin() {
        return groups.contains(ADMIN);
    }
}
