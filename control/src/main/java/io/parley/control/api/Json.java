package io.parley.control.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;

/** Answers in JSON. */
final class Json {
    private static final MediaType PROBLEM = MediaType.create("application", "problem+json");
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    static HttpResponse answer(HttpStatus status, Object value) {
        return HttpResponse.of(status, MediaType.JSON_UTF_8, bytes(value));
    }

    static HttpResponse problem(Problem problem) {
        return HttpResponse.of(problem.status(), PROBLEM, bytes(problem.body()));
    }

    /** The same, where the server wants it in one piece. */
    static AggregatedHttpResponse aggregated(Problem problem) {
        return AggregatedHttpResponse.of(problem.status(), PROBLEM, bytes(problem.body()));
    }

    private static HttpData bytes(Object value) {
        try {
            return HttpData.wrap(MAPPER.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer of ours is not writable: " + value, e);
        }
    }
}
