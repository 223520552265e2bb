package io.parley.proxy.telemetry;

import io.parley.proxy.Direction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** All numbers of the proxy. Names follow Linkerd's, so that dashboards made for it find them. */
public final class Telemetry {
    /**
     * Who is at one side of a connection.
     *
     * @param side {@code src} for the client's side, {@code dst} for the server's
     * @param noTlsReason why the side is not mutual TLS; null if it is
     * @param identity the peer's name in its certificate; null if it showed none
     * @param target the service or port that the connection is for
     * @param serverName whom the peer asked for by TLS that is not the mesh's and passes unread, which may be nobody; null without such
     */
    public record Side(
            Direction direction,
            String side,
            @Nullable String noTlsReason,
            @Nullable String identity,
            String target,
            @Nullable String serverName) {
        /** Without TLS that passes unread. */
        public Side(
                Direction direction,
                String side,
                @Nullable String noTlsReason,
                @Nullable String identity,
                String target) {
            this(direction, side, noTlsReason, identity, target, null);
        }

        private Side askingFor(String name) {
            return new Side(direction, side, noTlsReason, identity, target, name);
        }

        private String tls() {
            return noTlsReason == null ? "true" : serverName == null ? "no_identity" : "opaque";
        }
    }

    /** What was decided about who may connect. */
    public enum Verdict {
        ALLOW("Connections that were let in."),
        DENY("Connections that were refused for who the client is."),
        TERMINATE("Connections that were open when their client's permission ended, and were closed for that.");

        private final String help;

        Verdict(String help) {
            this.help = help;
        }
    }

    static final int MAX_WITH_SERVER_NAME = 100;
    private static final String COUNTER = "counter";
    private static final List<String> SIDE_LABELS =
            List.of("direction", "peer", "tls", "no_tls_reason", "client_id", "server_id", "target", "sni");

    private final List<Family<?>> families = new ArrayList<>();
    private final Map<Side, TcpSeries> sides = new ConcurrentHashMap<>();
    private final Family<Count> opened = counter("tcp_open_total", "Connections opened.", SIDE_LABELS);
    private final Family<Count> open = gauge("tcp_open_connections", "Connections open now.", SIDE_LABELS);
    private final Family<Count> closed =
            counter("tcp_close_total", "Connections closed, by cause.", List.of("direction", "cause"));
    private final Family<Count> read = counter("tcp_read_bytes_total", "Bytes read from the peer.", SIDE_LABELS);
    private final Family<Count> written = counter("tcp_write_bytes_total", "Bytes written to the peer.", SIDE_LABELS);
    private final Map<Direction, Family<Count>> errors = byDirection(direction -> counter(
            direction + "_tcp_errors_total", "Connections that failed before they were forwarded.", List.of("error")));
    private final Map<Direction, Family<Count>> found = byDirection(direction -> counter(
            direction + "_tcp_detect_http_results_total",
            "What connections whose protocol nobody declared turned out to be.",
            List.of("result")));
    private final Map<Direction, Family<Histogram>> foundTime = byDirection(direction -> histogram(
            direction + "_tcp_detect_http_duration_seconds",
            "Time from accept to the decision about a protocol that nobody declared.",
            "result"));
    private final Family<Count> detections = counter(
            "tcp_protocol_connections_total",
            "Connections by protocol and by the rule that decided it.",
            List.of("direction", "protocol", "rule"));
    private final Family<Histogram> detectTime = histogram(
            "tcp_detect_duration_seconds", "Time from accept to the decision about the protocol.", "direction");
    private final Family<Histogram> connectTime =
            histogram("tcp_connect_duration_seconds", "Time to reach an endpoint, TLS included.", "direction");
    private final Family<Histogram> lifeTime =
            histogram("tcp_connection_duration_seconds", "Time from accept to close.", "direction");
    private final Family<Histogram> queueTime = histogram(
            "outbound_tcp_balancer_queue_latency_seconds", "Time that requests waited for a connection.", "cluster");
    private final Family<Count> headers = counter(
            "inbound_tcp_transport_header_connections_total",
            "Connections that came with a connection header.",
            List.of("session_protocol", "target_port", "target_name", "client_id"));
    private final Map<Verdict, Family<Count>> authorizations = authorizations();
    private final Family<Count> learned = counter(
            "tcp_server_first_total", "Connections on which the server spoke first.", List.of("direction", "target"));
    private final Family<Count> udpOpen =
            gauge("udp_open_sessions", "Clients of a listener for datagrams.", List.of("listener"));
    private final Family<Count> datagrams = counter(
            "udp_datagrams_total",
            "Datagrams received from clients and sent to them.",
            List.of("listener", "direction"));
    private final Family<Count> udpDropped =
            counter("udp_dropped_total", "Datagrams that went nowhere, by cause.", List.of("listener", "cause"));
    private final Family<Count> told = counter(
            "telemetry_sent_total", "Log entries and spans that reached their place.", List.of("kind", "place"));
    private final Family<Count> untold = counter(
            "telemetry_dropped_total",
            "Log entries and spans that were lost, by cause.",
            List.of("kind", "place", "cause"));
    private final FailureLog crowds = new FailureLog("connections to", "are turned away");
    private final FailureLog refusals = new FailureLog("connections to", "are refused", Level.INFO);
    private final HttpTelemetry http = new HttpTelemetry(this);
    private final Upkeep upkeep;
    private final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();
    private final List<Census> censuses = new CopyOnWriteArrayList<>();

    /** Numbers of one metric that are looked up when they are asked for, by the values of its labels. */
    private record Census(
            String name, String type, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        private void render(StringBuilder out) {
            out.append("# HELP ").append(name).append(' ').append(help).append('\n');
            out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
            values.get().entrySet().stream().limit(Family.MAX_SERIES).forEach(one -> {
                Count value = new Count();
                value.add(one.getValue());
                value.render(name, labels, new Labels(one.getKey()), out);
            });
        }
    }

    /**
     * @param ticker nanoseconds, by which series grow idle
     */
    public Telemetry(LongSupplier ticker) {
        upkeep = new Upkeep(ticker);
        dropIdle(opened, open, read, written);
        dropIdle(queueTime);
        dropIdle(headers);
        authorizations.values().forEach(this::dropIdle);
        dropIdle(learned);
        dropIdle(udpOpen);
        dropIdle(datagrams);
        dropIdle(udpDropped);
        dropIdle(told);
        dropIdle(untold);
        http.dropIdle(this);
    }

    /** Has series of these families, whose labels are the same, dropped when they are idle. For labels that come and go. */
    void dropIdle(Family<?>... families) {
        upkeep.add(List.of(families));
        for (Family<?> family : families) {
            family.whenFull(this::tidy);
        }
    }

    private void tidy() {
        if (upkeep.run()) {
            sides.keySet().removeIf(side -> !opened.labels().contains(Labels.of(labels(side))));
        }
    }

    public HttpTelemetry http() {
        return http;
    }

    public TcpSeries side(Side side) {
        TcpSeries known = sides.get(side);
        if (known != null) {
            return known;
        }
        Side counted = hasRoomFor(side.serverName()) ? side : side.askingFor(Family.OVERFLOW);
        TcpSeries made = series(counted); // whoever else makes one gets the same numbers
        if (sides.size() < Family.MAX_SERIES) {
            sides.put(counted, made);
        }
        return made;
    }

    /** Strangers choose these names, on any port: they shall not be able to use up the series of members. */
    private boolean hasRoomFor(@Nullable String serverName) {
        return !isAskedFor(serverName)
                || sides.keySet().stream()
                                .filter(side -> isAskedFor(side.serverName()))
                                .count()
                        < MAX_WITH_SERVER_NAME;
    }

    private static boolean isAskedFor(@Nullable String serverName) {
        return serverName != null && !serverName.isEmpty() && !serverName.equals(Family.OVERFLOW);
    }

    private TcpSeries series(Side side) {
        String[] labels = labels(side);
        return new TcpSeries(opened.with(labels), open.with(labels), read.with(labels), written.with(labels));
    }

    private static String[] labels(Side side) {
        boolean client = side.side().equals("src");
        String identity = side.identity() == null ? "" : side.identity();
        return new String[] {
            side.direction().toString(),
            side.side(),
            side.tls(),
            side.noTlsReason() == null || side.serverName() != null ? "" : side.noTlsReason(),
            client ? identity : "",
            client ? "" : identity,
            side.target(),
            side.serverName() == null ? "" : side.serverName()
        };
    }

    public Count closed(Direction direction, String cause) {
        return closed.with(direction.toString(), cause);
    }

    public Count error(Direction direction, String error) {
        return of(errors, direction).with(error);
    }

    /** A connection was turned away before anything was known of it: it is counted, and logged with where the last one comes from. */
    public void turnedAway(Direction direction, String listener, String cause, String detail, long now) {
        error(direction, cause).increment();
        crowds.note(listener, cause, detail, now);
    }

    /** A connection cannot go on: it is counted, and logged as the last one of those that it is like. */
    public void refused(Direction direction, String listener, String cause, String detail, long now) {
        error(direction, cause).increment();
        refusals.note(listener, cause, detail, now);
    }

    /** It was decided, after so long, what a connection carries. */
    public void decided(Direction direction, String protocol, String rule, long nanos) {
        detections.with(direction.toString(), protocol, rule).increment();
        detectTime.with(direction.toString()).observe(nanos);
    }

    /** The same where nobody had declared it; the result in Linkerd's words. */
    public void detected(Direction direction, String result, long nanos) {
        of(found, direction).with(result).increment();
        of(foundTime, direction).with(result).observe(nanos);
    }

    public Histogram connectTime(Direction direction) {
        return connectTime.with(direction.toString());
    }

    /** How long requests wait for a connection to a cluster. Not to be kept: clusters come and go. */
    public Histogram queueTime(String cluster) {
        return queueTime.with(cluster);
    }

    public Histogram lifeTime(Direction direction) {
        return lifeTime.with(direction.toString());
    }

    public Count header(String sessionProtocol, int port, @Nullable String name, String clientId) {
        return headers.with(sessionProtocol, Integer.toString(port), name == null ? "" : name, clientId);
    }

    public Count authorization(Verdict verdict, String target, String clientId) {
        return of(authorizations, verdict).with(target, clientId);
    }

    /** The numbers of a listener for datagrams. */
    public UdpSeries datagrams(String listener) {
        return new UdpSeries(
                udpOpen.with(listener),
                datagrams.with(listener, "received"),
                datagrams.with(listener, "sent"),
                cause -> udpDropped.with(listener, cause));
    }

    /** The numbers about what is told to a place. */
    public Outflow outflow(String kind, String place) {
        return new Outflow(told.with(kind, place), cause -> untold.with(kind, place, cause));
    }

    public Count serverFirst(Direction direction, String target) {
        return learned.with(direction.toString(), target);
    }

    /** Registers a number that is looked up when it is asked for. */
    public void gauge(String name, LongSupplier value) {
        gauges.put(name, value);
    }

    /** Registers numbers that are looked up when they are asked for: what there is now has a series, and what is gone has none. */
    public void gauges(String name, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        censuses.add(new Census(name, Family.GAUGE, help, List.copyOf(labels), values));
    }

    /** The same for numbers that only grow. */
    public void counters(String name, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        censuses.add(new Census(name, COUNTER, help, List.copyOf(labels), values));
    }

    /** Everything in Prometheus' text format 0.0.4. */
    public String render() {
        tidy();
        StringBuilder out = new StringBuilder(8_192);
        families.forEach(family -> family.render(out));
        censuses.forEach(census -> census.render(out));
        gauges.forEach((name, value) -> out.append("# TYPE ")
                .append(name)
                .append(" gauge\n")
                .append(name)
                .append(' ')
                .append(value.getAsLong())
                .append('\n'));
        return out.toString();
    }

    private static <F> Map<Direction, F> byDirection(Function<Direction, F> family) {
        Map<Direction, F> families = new EnumMap<>(Direction.class);
        for (Direction direction : Direction.values()) {
            families.put(direction, family.apply(direction));
        }
        return families;
    }

    private Map<Verdict, Family<Count>> authorizations() {
        Map<Verdict, Family<Count>> families = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            String name = "inbound_tcp_authz_" + verdict.name().toLowerCase(Locale.ROOT) + "_total";
            families.put(verdict, counter(name, verdict.help, List.of("target", "client_id")));
        }
        return families;
    }

    /** There is one for each. */
    private static <K, F> F of(Map<K, F> families, K key) {
        return Objects.requireNonNull(families.get(key));
    }

    private Family<Count> counter(String name, String help, List<String> labels) {
        return register(new Family<>(name, COUNTER, help, labels, Count::new));
    }

    private Family<Count> gauge(String name, String help, List<String> labels) {
        return register(new Family<>(name, Family.GAUGE, help, labels, Count::new));
    }

    private Family<Histogram> histogram(String name, String help, String label) {
        return register(new Family<>(name, "histogram", help, List.of(label), Histogram::new));
    }

    <T extends Family.Series> Family<T> register(Family<T> family) {
        families.add(family);
        return family;
    }
}
