package io.parley.control.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.linecorp.armeria.common.HttpStatus;
import io.parley.resource.Violation;
import java.util.List;
import java.util.Map;

/**
 * What went wrong, as a document that programs can read (RFC 9457).
 *
 * @param type a stable name of the kind of problem, relative to the API
 * @param detail what happened, where, and what to do
 * @param violations every single thing that is wrong with the input
 * @param extra members that only this kind of problem has
 */
record Problem(
        HttpStatus status,
        String type,
        String title,
        String detail,
        List<Violation> violations,
        Map<String, Object> extra) {
    Problem {
        violations = List.copyOf(violations);
        extra = Map.copyOf(extra);
    }

    static Problem of(HttpStatus status, String type, String title, String detail) {
        return new Problem(status, type, title, detail, List.of(), Map.of());
    }

    static Problem invalid(String detail, List<Violation> violations) {
        return new Problem(
                HttpStatus.BAD_REQUEST, "invalid", "The resource is not valid", detail, violations, Map.of());
    }

    static Problem notFound(String detail) {
        return of(HttpStatus.NOT_FOUND, "not-found", "There is no such thing", detail);
    }

    ProblemException asException() {
        return new ProblemException(this);
    }

    /** The document's members in the order in which people read them. */
    Body body() {
        return new Body("/problems/" + type, title, status.code(), detail, violations, extra);
    }

    /** The document as it is written. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Body(
            String type,
            String title,
            int status,
            String detail,
            List<Violation> violations,
            @com.fasterxml.jackson.annotation.JsonAnyGetter Map<String, Object> extra) {}
}
