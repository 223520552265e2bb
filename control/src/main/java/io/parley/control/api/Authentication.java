package io.parley.control.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.AttributeKey;
import io.parley.control.access.Action;
import io.parley.control.access.Caller;
import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenVerifier;
import io.parley.identity.token.Verification;
import io.parley.store.StoreException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out who calls, by the bearer token, before anything else is looked at. Being on the same machine proves nothing. */
final class Authentication implements DecoratingHttpServiceFunction {
    private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);
    private static final AttributeKey<Caller> CALLER = AttributeKey.valueOf(Authentication.class, "CALLER");
    private static final String SCHEME = "Bearer ";

    /** In which an operator names the tenant in whose realm to act. */
    private static final String TENANT = "tenant";

    private final TokenVerifier verifier;
    private final Set<String> tenants;
    private final MeterRegistry metrics;
    private final Executor executor;

    /**
     * @param tenants those that have a realm here
     */
    Authentication(TokenVerifier verifier, Set<String> tenants, MeterRegistry metrics, Executor executor) {
        this.verifier = verifier;
        this.tenants = tenants;
        this.metrics = metrics;
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

    private HttpResponse proceed(
            Verification verification, HttpService next, ServiceRequestContext context, HttpRequest request) {
        return switch (verification) {
            case Verification.Valid valid
            when valid.token().subject() instanceof Subject.User user -> admit(user, next, context, request);
            case Verification.Valid valid ->
                unauthenticated("the token is not for the API but for a "
                        + valid.token().subject().getClass().getSimpleName());
            case Verification.Refused(String reason) -> {
                LOG.info("token refused from {}: {}", context.remoteAddress(), reason);
                yield unauthenticated("the token was refused (expired, withdrawn, or not of this control plane)");
            }
        };
    }

    /** A tenant's token is good for its realm only. Operators have none of their own, and go where they say. */
    private HttpResponse admit(
            Subject.User user, HttpService next, ServiceRequestContext context, HttpRequest request) {
        String named = request.headers().get(TENANT, "");
        if (!user.tenant().isEmpty() && !named.isEmpty() && !named.equals(user.tenant())) {
            LOG.warn("{} of tenant {} claims tenant {}: refused", user.name(), user.tenant(), named);
            return forbidden("forged-tenant", "header tenant: " + named + " (expected: the token's, or none)");
        }
        String tenant = user.tenant().isEmpty() ? named : user.tenant();
        if (!tenants.contains(tenant)) {
            return forbidden(
                    TENANT,
                    "tenant: " + tenant + " (expected: one that this control plane was told of by" + " --tenants)");
        }
        context.setAttr(CALLER, Caller.of(user).in(tenant));
        return unchecked(next, context, request);
    }

    private HttpResponse forbidden(String reason, String detail) {
        metrics.counter("parley.api.refused", "reason", reason).increment();
        return Json.problem(Problem.of(HttpStatus.FORBIDDEN, reason, "Not your realm", detail));
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
