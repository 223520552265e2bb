package io.parley.xds.server.session;

import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What a client wants of one type: everything, or what it named. Immutable, so that a publisher may look at it from its own thread. */
record Interest(Scope scope, Set<String> names) {
    static final Interest NOTHING = new Interest(Scope.NAMED, Set.of());
    static final String WILDCARD = "*";

    enum Scope {
        /** {@code *}, or the empty list that stands for it; names may be given besides. */
        ALL,
        NAMED
    }

    boolean all() {
        return scope == Scope.ALL;
    }

    boolean covers(String name) {
        return all() || names.contains(name);
    }

    boolean coversAll(Set<String> candidates) {
        return all() || names.containsAll(candidates);
    }

    boolean concernedBy(Changes changes) {
        return anyOf(changes.updated()) || anyOf(changes.removed());
    }

    private boolean anyOf(Set<String> changed) {
        if (changed.isEmpty()) {
            return false;
        }
        if (all()) {
            return true;
        }
        // Whichever is shorter is walked: a change mostly has one name, a subscription may have thousands.
        Set<String> few = changed.size() < names.size() ? changed : names;
        Set<String> many = changed.size() < names.size() ? names : changed;
        for (String name : few) {
            if (many.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** Those of the names given that are covered. */
    Collection<String> within(Set<String> candidates) {
        if (all() || candidates.isEmpty()) {
            return candidates;
        }
        Set<String> few = candidates.size() < names.size() ? candidates : names;
        Set<String> many = candidates.size() < names.size() ? names : candidates;
        List<String> both = new ArrayList<>();
        for (String name : few) {
            if (many.contains(name)) {
                both.add(name);
            }
        }
        return both;
    }

    /** Every name that there is to send. */
    Collection<String> within(ResourceSet resources) {
        return within(resources.names());
    }
}
