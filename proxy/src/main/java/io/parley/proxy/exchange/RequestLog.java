package io.parley.proxy.exchange;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.route.RequestView;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each request when it is over, as names and values. Queries are left out, as people put secrets there, and what a client can
 * make long is cut.
 *
 * @param lines takes what is told; called on event loops
 */
public record RequestLog(Clock clock, Consumer<Map<String, Object>> lines) implements Account.Keeper {
    private static final int LONGEST = 1_024;

    @Override
    public Account open(Connection connection, Version version) {
        return new Line(this, connection, version);
    }

    private static final class Line implements Account {
        private final RequestLog log;
        private final Connection connection;
        private final Version version;
        private String method = "";
        private String authority = "";
        private String path = "";
        private @Nullable String trace;
        private @Nullable Endpoint endpoint;
        private @Nullable String cause;

        Line(RequestLog log, Connection connection, Version version) {
            this.log = log;
            this.connection = connection;
            this.version = version;
        }

        @Override
        public void began(RequestView request) {
            method = cut(request.method());
            authority = cut(request.authority());
            path = cut(request.path());
            String parent = request.field("traceparent");
            trace = parent == null ? null : cut(parent);
            endpoint = null;
            cause = null;
        }

        private static String cut(String text) {
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
        }

        @Override
        public void went(Endpoint to) {
            endpoint = to;
        }

        @Override
        public void failed(String why) {
            cause = why;
        }

        @Override
        public void ended(String route, int status, long nanos) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("time", log.clock.instant().toString());
            fields.put("direction", connection.direction());
            fields.put("target", connection.target());
            fields.put("route", route);
            fields.put("client", text(connection.client()));
            SpiffeId peer = connection.peer();
            put(fields, "peer", peer == null ? null : peer.toString());
            fields.put("http", version == Version.HTTP2 ? "2" : "1");
            fields.put("method", method);
            fields.put("authority", authority);
            fields.put("path", path);
            fields.put("status", (long) status);
            put(fields, "error", cause);
            put(fields, "endpoint", endpoint == null ? null : text(endpoint.dialled()));
            fields.put("micros", TimeUnit.NANOSECONDS.toMicros(nanos));
            put(fields, "trace", trace);
            log.lines.accept(fields);
        }

        private static void put(Map<String, Object> fields, String name, @Nullable String value) {
            if (value != null) {
                fields.put(name, value);
            }
        }

        private static String text(InetSocketAddress address) {
            String host = address.getAddress().getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
        }
    }
}
