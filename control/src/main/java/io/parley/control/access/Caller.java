package io.parley.control.access;

import io.parley.identity.token.Subject;
import java.util.Set;

/** Somebody who calls the API, and proved it. */
public record Caller(String name, Set<String> groups) {
    /** Members may do everything. */
    public static final String ADMIN = "admin";

    /** Members may read everything but secrets. */
    public static final String READER = "reader";

    public static final Set<String> GROUPS = Set.of(ADMIN, READER);

    public Caller {
        groups = Set.copyOf(groups);
    }

    public static Caller of(Subject.User user) {
        return new Caller(user.name(), user.groups());
    }

    public boolean isAdmin() {
        return groups.contains(ADMIN);
    }
}
