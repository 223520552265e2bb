package io.parley.control.explain;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;

/**
 * One decision on the way.
 *
 * @param about what was decided
 * @param value the outcome
 * @param because one sentence for people
 * @param resource what was read; empty if nothing was
 * @param field path inside it
 * @param rule the rule that was applied
 */
public record Step(String about, String value, String because, String resource, String field, String rule) {
    static Step of(String about, Decision<?> decision) {
        return of(about, decision.value().toString(), decision);
    }

    static Step of(String about, String value, Decision<?> decision) {
        Source source = decision.source();
        return new Step(about, value, decision.because(), source.resource(), source.field(), source.rule());
    }

    /** Something that follows from what was said before. */
    static Step plain(String about, String value, String because) {
        return new Step(about, value, because, "", "", "");
    }
}
