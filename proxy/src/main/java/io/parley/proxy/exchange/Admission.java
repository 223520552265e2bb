package io.parley.proxy.exchange;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.route.Access;
import io.parley.proxy.route.CorsRules;
import io.parley.proxy.route.RequestView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a request must pass before it is forwarded. Only routes that have policies come here. */
final class Admission {
    /** The verdict. */
    sealed interface Verdict {
        /** Go on. */
        record Pass() implements Verdict {}

        /** Go on after a while. */
        record Wait(Duration time) implements Verdict {}

        /** The proxy answers. */
        record Fail(int status, String cause, String text) implements Verdict {}

        /** The proxy answers with this head, and no content. */
        record Answer(Http2Headers head) implements Verdict {}
    }

    static final Verdict.Pass PASS = new Verdict.Pass();
    private static final int MILLION = 1_000_000;

    private Admission() {}

    static Verdict verdict(LiveRoute route, RequestView request, Connection connection, HttpLoop loop) {
        Policies policies = route.policies();
        if (policies.cors() != null && CorsRules.isPreflight(request)) {
            Http2Headers head = new DefaultHttp2Headers(false);
            head.status(new AsciiString("200"));
            Shaping.set(CorsRules.preflight(policies.cors(), request), head);
            return new Verdict.Answer(head);
        }
        if (policies.access() != null) {
            AccessRules forbidding = Access.forbidding(policies.access(), request, caller(connection));
            countShadows(policies, request, connection, loop);
            if (forbidding != null) {
                return new Verdict.Fail(403, "denied", "access denied by " + forbidding.effect() + " rules");
            }
        }
        RateLimit limit = policies.rateLimit();
        if (limit != null && !route.admits(loop.now())) {
            return new Verdict.Fail(limit.status(), "rate-limited", "too many requests");
        }
        return fault(policies.fault(), request, loop);
    }

    private static Access.Caller caller(Connection connection) {
        SpiffeId peer = connection.peer();
        return new Access.Caller(
                peer == null ? null : peer.toString(),
                connection.client().getAddress(),
                connection.destination().getPort());
    }

    private static void countShadows(Policies policies, RequestView request, Connection connection, HttpLoop loop) {
        if (policies.access() != null) {
            for (AccessRules rules : policies.access()) {
                if (rules.mode() == AccessRules.Mode.SHADOW && Access.forbids(rules, request, caller(connection))) {
                    loop.telemetry()
                            .error(connection.direction(), "shadow-denied")
                            .increment();
                }
            }
        }
    }

    private static Verdict fault(@Nullable Fault fault, RequestView request, HttpLoop loop) {
        if (fault == null || !isFor(fault, request)) {
            return PASS;
        }
        Fault.Abort abort = fault.abort();
        if (abort != null && loop.chance().nextInt(MILLION) < abort.perMillion()) {
            return new Verdict.Fail(abort.status(), "fault-abort", "a failure was asked for by configuration");
        }
        Fault.Delay delay = fault.delay();
        if (delay != null && loop.chance().nextInt(MILLION) < delay.perMillion()) {
            return new Verdict.Wait(delay.time());
        }
        return PASS;
    }

    private static boolean isFor(Fault fault, RequestView request) {
        for (FieldMatch field : fault.fields()) {
            if (!field.isFulfilledBy(request.field(field.name()))) {
                return false;
            }
        }
        return true;
    }
}
