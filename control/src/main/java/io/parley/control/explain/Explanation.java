package io.parley.control.explain;

import java.util.List;

/**
 * The answer to a question, in the order in which things are decided.
 *
 * @param question what was asked, in full
 */
public record Explanation(String question, List<Step> steps) {
    public Explanation {
        steps = List.copyOf(steps);
    }
}
