package io.parley.control.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import io.parley.control.access.Action;
import io.parley.control.access.Caller;
import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenVerifier;
import io.parley.identity.token.Verification;
import io.parley.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out who calls, by the bearer token, before anything else is looked at. Being on the same machine proves nothing. */
final class Authentication implements DecoratingHttpServiceFunction {
    private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);
    private static final AttributeKey<Caller> CALLER = AttributeKey.valueOf(Authentication.class, "CALLER");
    private static final String SCHEME = "Bearer ";

    private final TokenVerifier verifier;
    private final Executor executor;

    Authentication(TokenVerifier verifier, Executor executor) {
        this.verifier = verifier;
        this.executor = executor;
    }

    /** Who makes the request that this context belongs to. */
    static Caller caller(ServiceRequestContext context) {
        Caller caller = context.attr(CALLER);
        if (caller == null) {
            throw new IllegalStateException("this service was mounted without authentication");
        }
        return caller;
    }

    /** Stops the request with a problem unless its caller may do this. */
    static void require(ServiceRequestContext context, Action action) {
        Caller caller = caller(context);
        if (!action.isAllowedTo(caller)) {
            throw Problem.of(
                            HttpStatus.FORBIDDEN,
                            "not-allowed",
                            "You may not do this",
                            caller.name() + " is in the groups " + caller.groups() + "; this takes "
                                    + (action == Action.READ ? Caller.READER + " or " : "") + Caller.ADMIN)
                    .asException();
        }
    }

    @Override
    public HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request) {
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return unauthenticated("no token was sent (expected: Authorization: Bearer …)");
        }
        String token = header.substring(SCHEME.length()).strip();
        // The revocation list may have to be read from the store: not on the event loop.
        return HttpResponse.of(CompletableFuture.supplyAsync(() -> verify(token), executor)
                .thenApplyAsync(verification -> proceed(verification, next, context, request), context.eventLoop())
                .exceptionally(failure -> failure.getCause() instanceof ProblemException refused
                        ? Json.problem(refused.problem())
                        : HttpResponse.ofFailure(failure)));
    }

    private Verification verify(String token) {
        try {
            return verifier.verify(token);
        } catch (StoreException e) {
            throw Problems.of(e).asException();
        }
    }

    private static HttpResponse proceed(
            Verification verification, HttpService next, ServiceRequestContext context, HttpRequest request) {
        return switch (verification) {
            case Verification.Valid valid
            when valid.token().subject() instanceof Subject.User user -> {
                context.setAttr(CALLER, Caller.of(user));
                yield unchecked(next, context, request);
            }
            case Verification.Valid valid ->
                unauthenticated("the token is not for the API but for a "
                        + valid.token().subject().getClass().getSimpleName());
            case Verification.Refused(String reason) -> {
                LOG.info("token refused from {}: {}", context.remoteAddress(), reason);
                yield unauthenticated("the token was refused (expired, withdrawn, or not of this control plane)");
            }
        };
    }

    private static HttpResponse unchecked(HttpService next, ServiceRequestContext context, HttpRequest request) {
        try {
            return next.serve(context, request);
        } catch (Exception e) {
            return HttpResponse.ofFailure(e);
        }
    }

    private static HttpResponse unauthenticated(String detail) {
        Problem problem = Problem.of(HttpStatus.UNAUTHORIZED, "unauthenticated", "Who are you?", detail);
        return Json.problem(problem)
                .mapHeaders(headers -> headers.toBuilder()
                        .set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"parley\"")
                        .build());
    }
}
