package io.parley.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list, as it was at one revision. A page may hold less than its limit when the documents on it are big: only
 * {@code next} says whether there is more.
 *
 * @param items ordered by space, then name, both by Unicode code point
 * @param total how many resources the query matches, on all pages
 * @param next what to continue after, or null if this was the last page
 * @param revision the state that is shown; whoever wants to stay up to date watches after the <em>first</em> page's revision
 */
public record Page(List<Stored> items, long total, @Nullable Cursor next, Revision revision) {
    public Page {
        items = List.copyOf(items);
    }
}
