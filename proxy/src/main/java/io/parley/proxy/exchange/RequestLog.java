package io.parley.proxy.exchange;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.AddressText;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.route.RequestView;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each request when it is over, as names and values. Queries are left out, as people put secrets there, and what a client can
 * make long is cut.
 *
 * @param lines takes what is told; called on event loops, and free to ask for the values elsewhere
 */
public record RequestLog(Clock clock, Consumer<Supplier<Map<String, Object>>> lines) implements Account.Keeper {
    private static final int LONGEST = 1_024;

    @Override
    public Account open(Connection connection, HttpConfig config, Version version) {
        return new Line(this, connection, version);
    }

    private static final class Line implements Account {
        private final RequestLog log;
        private final Connection connection;
        private final Version version;
        private Provenance provenance;
        private String method = "";
        private String authority = "";
        private String path = "";
        private @Nullable String trace;
        private @Nullable Endpoint endpoint;
        private @Nullable String cause;
        private @Nullable String grpc;

        Line(RequestLog log, Connection connection, Version version) {
            this.log = log;
            this.connection = connection;
            this.provenance = connection.provenance();
            this.version = version;
        }

        @Override
        public void began(RequestView request) {
            provenance = request.provenance();
            method = cut(request.method());
            authority = cut(request.authority());
            path = cut(request.path());
            String parent = request.field("traceparent");
            trace = parent == null ? null : cut(parent);
            endpoint = null;
            cause = null;
            grpc = null;
        }

        private static String cut(String text) {
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
        }

        @Override
        public void went(String cluster, Endpoint to) {
            endpoint = to;
        }

        @Override
        public void failed(String why) {
            cause = why;
        }

        @Override
        public void grpc(int code) {
            grpc = Integer.toString(code);
        }

        @Override
        public void ended(String route, int status, long nanos, long received, long sent) {
            Told told = new Told(
                    log.clock.instant(),
                    connection,
                    provenance,
                    connection.peer(),
                    version,
                    route,
                    new Asked(method, authority, path, trace),
                    new Became(status, grpc, cause, endpoint, nanos));
            log.lines.accept(told::fields);
        }
    }

    /** What was asked for. */
    private record Asked(
            String method,
            String authority,
            String path,
            @Nullable String trace) {}

    /** What became of it. */
    private record Became(
            int status,
            @Nullable String grpc,
            @Nullable String cause,
            @Nullable Endpoint endpoint,
            long nanos) {}

    /** All of it, until somebody has the time to write it down. */
    private record Told(
            Instant time,
            Connection connection,
            Provenance provenance,
            @Nullable SpiffeId peer,
            Version version,
            String route,
            Asked asked,
            Became became) {
        Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("time", time.toString());
            fields.put("direction", connection.direction());
            fields.put("target", connection.target());
            fields.put("route", route);
            fields.put("client", AddressText.of(provenance.client()));
            put(fields, "via", provenance.before() == null ? null : AddressText.of(provenance.peer()));
            put(fields, "peer", peer == null ? null : peer.toString());
            fields.put("http", version == Version.HTTP2 ? "2" : "1");
            fields.put("method", asked.method);
            fields.put("authority", asked.authority);
            fields.put("path", asked.path);
            fields.put("status", (long) became.status);
            put(fields, "grpc", became.grpc);
            put(fields, "error", became.cause);
            put(fields, "endpoint", became.endpoint == null ? null : AddressText.of(became.endpoint.dialled()));
            fields.put("micros", TimeUnit.NANOSECONDS.toMicros(became.nanos));
            put(fields, "trace", asked.trace);
            return fields;
        }

        private static void put(Map<String, Object> fields, String name, @Nullable String value) {
            if (value != null) {
                fields.put(name, value);
            }
        }
    }
}
