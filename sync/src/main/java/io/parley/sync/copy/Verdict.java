package io.parley.sync.copy;

import java.util.List;

/**
 * What became of a delivery.
 *
 * @param problems one for each item that was not taken; the others were
 */
public record Verdict(List<String> problems) {
    private static final int MOST = 20;

    public Verdict {
        problems = List.copyOf(problems);
    }

    public boolean isGood() {
        return problems.isEmpty();
    }

    /** For the peer's people. */
    public String message() {
        String shown = String.join("; ", problems.subList(0, Math.min(MOST, problems.size())));
        int more = problems.size() - MOST;
        return "user error: " + shown + (more > 0 ? "; and " + more + " more" : "");
    }
}
