package io.parley.sync.copy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was not taken and has been neither repaired nor deleted since, by name. It is bounded, or a peer could fill memory with names; of
 * what is beyond that only is known that there was some, until a first state has told everything anew.
 */
final class RejectedItems {
    static final int MOST = 10_000;
    private static final int MOST_TEXT = 500;
    private static final Problem OTHERS =
            new Problem("others", "more than " + MOST + " were not taken; these are the first");

    private final Map<String, Problem> byName = new LinkedHashMap<>();
    private boolean more;

    void add(Problem problem) {
        if (byName.size() >= MOST && !byName.containsKey(problem.name())) {
            more = true;
            return;
        }
        String because = problem.because();
        byName.put(
                problem.name(),
                because.length() > MOST_TEXT ? new Problem(problem.name(), because.substring(0, MOST_TEXT)) : problem);
    }

    void remove(String name) {
        byName.remove(name);
    }

    /** A state was told from its beginning; these were not in it. */
    void toldAnew(Collection<String> absent) {
        byName.keySet().removeAll(absent);
        more = false;
    }

    Set<String> names() {
        return byName.keySet();
    }

    List<Problem> list() {
        List<Problem> all = new ArrayList<>(byName.values());
        if (more) {
            all.addFirst(OTHERS);
        }
        return all;
    }
}
