package io.parley.xds.client;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The resources of one type that are wanted of a server.
 *
 * @param all whether all that there are, beside those named
 */
record Names(boolean all, SortedSet<String> named) {
    static final String WILDCARD = "*";
    static final Names NONE = new Names(false, Collections.emptySortedSet());

    Names {
        named = Collections.unmodifiableSortedSet(new TreeSet<>(named));
    }

    boolean isEmpty() {
        return !all && named.isEmpty();
    }

    /** As a request lists them, with the explicit sign for all. */
    SortedSet<String> listed() {
        if (!all) {
            return named;
        }
        SortedSet<String> listed = new TreeSet<>(named);
        listed.add(WILDCARD);
        return listed;
    }
}
