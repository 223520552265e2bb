package io.parley.proxy.account;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.export.Outlets;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.Telling;
import io.parley.proxy.log.Entry;
import io.parley.proxy.log.LogConfig;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.route.RequestView;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells the logs of a configuration of each request, with as much of its fields as their formats ask for. */
public record PolicyLogs(Clock clock, Outlets outlets) implements Account.Keeper {
    private static final int LONGEST = 4_096;

    @Override
    public Account open(Connection connection, HttpConfig config, Version version) {
        return config.telling().logs().isEmpty() ? Account.NONE : new Line(this, connection, config.telling(), version);
    }

    private static final class Line implements Account {
        private final PolicyLogs logs;
        private final Connection connection;
        private final Telling telling;
        private final Version version;
        private Provenance provenance;
        private Map<String, String> request = Map.of();
        private Map<String, String> answer = Map.of();
        private @Nullable Endpoint endpoint;
        private @Nullable String cluster;
        private @Nullable String cause;

        Line(PolicyLogs logs, Connection connection, Telling telling, Version version) {
            this.logs = logs;
            this.connection = connection;
            this.provenance = connection.provenance();
            this.telling = telling;
            this.version = version;
        }

        @Override
        public void began(RequestView head) {
            provenance = head.provenance();
            request = read(telling.requestFields(), head::named);
            answer = Map.of();
            endpoint = null;
            cluster = null;
            cause = null;
        }

        private static Map<String, String> read(Set<String> names, Function<String, @Nullable String> field) {
            Map<String, String> values = HashMap.newHashMap(names.size());
            for (String name : names) {
                String value = field.apply(name);
                if (value != null && !value.isEmpty()) {
                    values.put(name, value.length() <= LONGEST ? value : value.substring(0, LONGEST));
                }
            }
            return values;
        }

        @Override
        public void went(String to, Endpoint chosen) {
            cluster = to;
            endpoint = chosen;
        }

        @Override
        public boolean countsContent() {
            return true;
        }

        @Override
        public void answered(Answer head) {
            answer = read(telling.answerFields(), head::field);
        }

        @Override
        public void failed(String why) {
            cause = why;
        }

        @Override
        public void ended(String route, int status, long nanos, long received, long sent) {
            SpiffeId peer = connection.peer();
            Entry entry = new Entry(
                    Entry.Subject.REQUEST,
                    logs.clock.instant().minusNanos(nanos),
                    Duration.ofNanos(nanos),
                    version == Version.HTTP2 ? "HTTP/2" : "HTTP/1.1",
                    status,
                    cause,
                    received,
                    sent,
                    new Entry.From(provenance.client(), provenance.peer()),
                    connection.destination(),
                    peer == null ? null : peer.toString(),
                    endpoint == null ? null : endpoint.dialled(),
                    cluster,
                    route,
                    new Entry.Fields(request, answer));
            for (LogConfig log : telling.logs()) {
                logs.outlets.log(log, entry);
            }
        }
    }
}
