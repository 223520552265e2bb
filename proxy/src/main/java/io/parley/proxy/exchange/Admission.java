package io.parley.proxy.exchange;

import io.netty.util.AsciiString;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.route.Access;
import io.parley.proxy.route.CorsRules;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a request must pass before it is forwarded. Only routes that have policies come here. */
final class Admission {
    /** The verdict. */
    sealed interface Verdict {
        /**
         * Go on.
         *
         * @param after a while, which may be zero
         * @param bytesPerSecond how fast the answer's content may be; 0 for no limit
         */
        record Pass(Duration after, long bytesPerSecond) implements Verdict {}

        /**
         * The proxy answers.
         *
         * @param after a while, which may be zero
         */
        record Fail(LocalAnswer.Failure failure, Duration after) implements Verdict {
            Fail(LocalAnswer.Failure failure) {
                this(failure, Duration.ZERO);
            }
        }

        /** The proxy answers with this head, and no content. */
        record Answer(Fields head) implements Verdict {}
    }

    static final Verdict.Pass PASS = new Verdict.Pass(Duration.ZERO, 0);
    private static final Field OK = Field.of(Fields.STATUS, AsciiString.cached("200"));

    /** By which Envoy tells who calls. */
    private static final String CERTIFICATE = "x-forwarded-client-cert";

    private Admission() {}

    static Verdict verdict(LiveRoute route, RequestView request, Connection connection, HttpLoop loop) {
        Policies policies = route.policies();
        if (policies.cors() != null && CorsRules.isPreflight(request)) {
            Fields head = new Fields();
            head.add(OK);
            Shaping.set(CorsRules.preflight(policies.cors(), request), head);
            return new Verdict.Answer(head);
        }
        if (!route.access().isEmpty()) {
            AccessRules forbidding = Access.forbidding(route.access(), request, caller(connection, request));
            countShadows(route.access(), request, connection, loop);
            if (forbidding != null) {
                return new Verdict.Fail(LocalAnswer.Failure.of(
                        403, Hindrance.DENIED, "access denied by " + forbidding.effect() + " rules"));
            }
        }
        RateLimit limit = policies.rateLimit();
        if (limit != null && !route.admits(loop.now())) {
            return new Verdict.Fail(LocalAnswer.Failure.of(limit.status(), Hindrance.RATE_LIMITED)
                    .with(null, limit.edits()));
        }
        List<Fault> faults = policies.faults();
        return faults == null ? PASS : troubled(faults, request, connection, loop);
    }

    private static Access.Caller caller(Connection connection, RequestView request) {
        return new Access.Caller(connection.names(), request.provenance(), connection.port());
    }

    private static void countShadows(
            List<AccessRules> access, RequestView request, Connection connection, HttpLoop loop) {
        for (AccessRules rules : access) {
            if (rules.mode() == AccessRules.Mode.SHADOW
                    && Access.forbids(rules, request, caller(connection, request))) {
                loop.telemetry().error(connection.direction(), "shadow-denied").increment();
            }
        }
    }

    /** As in Envoy, a request that is to fail waits first, if it is to wait too; what is said behind the failure it does not reach. */
    private static Verdict troubled(List<Fault> faults, RequestView request, Connection connection, HttpLoop loop) {
        Duration after = Duration.ZERO;
        long bytesPerSecond = 0;
        for (Fault fault : faults) {
            if (!isFor(fault, request, connection)) {
                continue;
            }
            Fault.Delay delay = fault.delay();
            if (delay != null && isChosen(delay.perMillion(), loop) && loop.hasRoomToWait()) {
                after = after.plus(delay.time());
            }
            Fault.Abort abort = fault.abort();
            if (abort != null && isChosen(abort.perMillion(), loop)) {
                return new Verdict.Fail(
                        LocalAnswer.Failure.of(abort.status(), Hindrance.FAULT)
                                .with(abort.grpcStatus(), FieldEdits.NONE),
                        after);
            }
            Fault.Bandwidth bandwidth = fault.bandwidth();
            if (bandwidth != null && isChosen(bandwidth.perMillion(), loop)) {
                long limit = bandwidth.bytesPerSecond();
                bytesPerSecond = bytesPerSecond == 0 ? limit : Math.min(bytesPerSecond, limit);
            }
        }
        return after.isZero() && bytesPerSecond == 0 ? PASS : new Verdict.Pass(after, bytesPerSecond);
    }

    private static boolean isChosen(int perMillion, HttpLoop loop) {
        return loop.lot() < perMillion;
    }

    private static boolean isFor(Fault fault, RequestView request, Connection connection) {
        for (FieldMatch field : fault.fields()) {
            String value = field.name().equals(CERTIFICATE) ? certificate(connection) : request.field(field.name());
            if (!field.isFulfilledBy(value)) {
                return false;
            }
        }
        return true;
    }

    /** What Envoy would write into that field, whatever the request says there; null if the caller showed no name. */
    private static @Nullable String certificate(Connection connection) {
        return connection.names().isEmpty()
                ? null
                : connection.names().stream().map(name -> "URI=" + name).collect(Collectors.joining(";"));
    }
}
