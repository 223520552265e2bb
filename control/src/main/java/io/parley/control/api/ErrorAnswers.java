package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.annotation.Nullable;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.resource.text.Limits;

/** What the server itself has to say no to is a problem document too. */
final class ErrorAnswers implements ServerErrorHandler {
    private static final Problem TOO_LARGE = Problem.of(
            HttpStatus.REQUEST_ENTITY_TOO_LARGE,
            "too-large",
            "The request is too large",
            "more than " + Limits.BYTES + " bytes (expected: at most that; split it)");

    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        if (cause instanceof ContentTooLargeException) {
            return Json.problem(TOO_LARGE);
        }
        return null;
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        if (status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)) {
            return Json.aggregated(TOO_LARGE);
        }
        String detail = description == null ? status.reasonPhrase() : description;
        return Json.aggregated(Problem.of(status, "http-" + status.code(), status.reasonPhrase(), detail));
    }
}
