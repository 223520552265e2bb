package io.parley.proxy.account;

import io.netty.util.AsciiString;
import io.parley.proxy.Direction;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.export.Outlets;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.route.RequestView;
import io.parley.proxy.trace.Sampler;
import io.parley.proxy.trace.Span;
import io.parley.proxy.trace.TraceConfig;
import io.parley.proxy.trace.TraceContext;
import io.parley.wire.http.Fields;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes a span of each request that is sampled, and tells the server of it. */
public record Traces(Surroundings surroundings, Outlets outlets) implements Account.Keeper {
    private static final AsciiString PARENT = AsciiString.cached(TraceContext.FIELD);
    private static final AsciiString STATE = AsciiString.cached(TraceContext.STATE);

    @Override
    public Account open(Connection connection, HttpConfig config, Version version) {
        TraceConfig trace = config.telling().trace();
        return trace == null ? Account.NONE : new Tracing(this, connection, trace, version);
    }

    private static final class Tracing implements Account {
        private final Traces traces;
        private final Connection connection;
        private final TraceConfig config;
        private final Version version;
        private Sampler.@Nullable Decision decision;
        private Map<String, Object> attributes = Map.of();
        private String name = "";
        private @Nullable Endpoint endpoint;
        private @Nullable String cause;
        private int tries;
        private int grpc;

        Tracing(Traces traces, Connection connection, TraceConfig config, Version version) {
            this.traces = traces;
            this.connection = connection;
            this.config = config;
            this.version = version;
        }

        @Override
        public void began(RequestView request) {
            Sampler.Decision decided = Sampler.decide(
                    request::field,
                    config.sampling(),
                    traces.surroundings.chance().get());
            decision = decided;
            endpoint = null;
            cause = null;
            tries = 0;
            grpc = -1;
            if (decided.isRecorded()) {
                name = Conventions.name(request.method());
                attributes = Conventions.of(request, connection, version, config.tags());
            }
        }

        @Override
        public boolean changesHead() {
            return decision != null && !decision.leavesFieldsAlone();
        }

        @Override
        public void change(Fields head) {
            if (decision != null && !decision.leavesFieldsAlone()) {
                head.set(PARENT, new AsciiString(decision.context().toString()));
                if (!decision.state()) {
                    head.remove(STATE);
                }
            }
        }

        @Override
        public void went(String cluster, Endpoint to) {
            endpoint = to;
            tries++;
        }

        @Override
        public void failed(String why) {
            cause = why;
        }

        @Override
        public void grpc(int code) {
            grpc = code;
        }

        @Override
        public void ended(String route, int status, long nanos, long received, long sent) {
            Sampler.Decision decided = decision;
            if (decided == null || !decided.isRecorded()) {
                return;
            }
            decision = null;
            Span.Kind kind = connection.direction() == Direction.OUTBOUND ? Span.Kind.CLIENT : Span.Kind.SERVER;
            Map<String, Object> all = new LinkedHashMap<>(attributes);
            String error = Conventions.error(kind, status, grpc, cause);
            Conventions.end(all, endpoint, tries, status, error);
            if (grpc >= 0) {
                all.put("rpc.grpc.status_code", (long) grpc);
            }
            Instant now = traces.surroundings.clock().instant();
            long end = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
            traces.outlets.span(
                    config,
                    new Span(
                            decided.context(),
                            decided.parent(),
                            kind,
                            name,
                            end - nanos,
                            end,
                            all,
                            error == null ? Span.Outcome.UNREMARKABLE : Span.Outcome.ERROR));
        }
    }
}
