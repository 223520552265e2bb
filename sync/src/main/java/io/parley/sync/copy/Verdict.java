package io.parley.sync.copy;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of a delivery.
 *
 * @param problems one for each item that was not taken; the others were
 * @param standing those of the kind that were not taken, now or before, and have not been repaired or deleted since
 */
public record Verdict(List<Problem> problems, List<Problem> standing) {
    private static final int MOST = 20;

    public Verdict {
        problems = List.copyOf(problems);
        standing = List.copyOf(standing);
    }

    public boolean isGood() {
        return problems.isEmpty();
    }

    /** For the peer's people. */
    public String message() {
        return text(problems);
    }

    /** What is not in step, for our own people. */
    public String standingMessage() {
        return text(standing);
    }

    private static String text(List<Problem> of) {
        String shown = of.stream().limit(MOST).map(Problem::toString).collect(Collectors.joining("; "));
        int more = of.size() - MOST;
        return "user error: " + shown + (more > 0 ? "; and " + more + " more" : "");
    }
}
