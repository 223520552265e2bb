package io.parley.proxy.telemetry;

import io.parley.proxy.Direction;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

        Side askingFor(String name) {
            return new Side(direction, side, noTlsReason, identity, target, name);
        }

        String tls() {
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

    private final Registry registry;
    private final HttpTelemetry http;
    private final TcpSides sides;
    private final Detections detections;
    private final UdpTelemetry udp;
    private final Outflows outflows;
    private final Family<Count> closed;
    private final PerDirection<Family<Count>> errors;
    private final Family<Histogram> connectTime;
    private final Family<Histogram> lifeTime;
    private final Family<Histogram> queueTime;
    private final Family<Count> headers;
    private final Map<Verdict, Family<Count>> authorizations;
    private final Family<Count> learned;
    private final FailureLog crowds = new FailureLog("connections to", "are turned away");
    private final FailureLog refusals = new FailureLog("connections to", "are refused", Level.INFO);

    /**
     * @param ticker nanoseconds, by which series grow idle
     */
    public Telemetry(LongSupplier ticker) {
        registry = new Registry(ticker);
        http = new HttpTelemetry(registry);
        sides = new TcpSides(registry);
        detections = new Detections(registry);
        udp = new UdpTelemetry(registry);
        outflows = new Outflows(registry);
        closed = registry.counter("tcp_close_total", "Connections closed, by cause.", List.of("direction", "cause"));
        errors = PerDirection.of(direction -> registry.counter(
                direction + "_tcp_errors_total",
                "Connections that failed before they were forwarded.",
                List.of("error")));
        connectTime = time("tcp_connect_duration_seconds", "Time to reach an endpoint, TLS included.", "direction");
        lifeTime = time("tcp_connection_duration_seconds", "Time from accept to close.", "direction");
        queueTime = time(
                "outbound_tcp_balancer_queue_latency_seconds",
                "Time that requests waited for a connection.",
                "cluster");
        headers = registry.counter(
                "inbound_tcp_transport_header_connections_total",
                "Connections that came with a connection header.",
                List.of("session_protocol", "target_port", "target_name", "client_id"));
        authorizations = authorizations(registry);
        learned = registry.counter(
                "tcp_server_first_total",
                "Connections on which the server spoke first.",
                List.of("direction", "target"));
        registry.dropIdle(queueTime);
        registry.dropIdle(headers);
        registry.dropIdle(learned);
        authorizations.values().forEach(registry::dropIdle);
    }

    private Family<Histogram> time(String name, String help, String label) {
        return registry.histogram(name, help, List.of(label));
    }

    public HttpTelemetry http() {
        return http;
    }

    public TcpSeries side(Side side) {
        return sides.of(side);
    }

    public Count closed(Direction direction, String cause) {
        return closed.with(direction.toString(), cause);
    }

    public Count error(Direction direction, String error) {
        return errors.of(direction).with(error);
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
        detections.decided(direction, protocol, rule, nanos);
    }

    /** The same where nobody had declared it; the result in Linkerd's words. */
    public void detected(Direction direction, String result, long nanos) {
        detections.detected(direction, result, nanos);
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
        return Objects.requireNonNull(authorizations.get(verdict)).with(target, clientId);
    }

    /** The numbers of a listener for datagrams. */
    public UdpSeries datagrams(String listener) {
        return udp.of(listener);
    }

    /** The numbers about what is told to a place. */
    public Outflow outflow(String kind, String place) {
        return outflows.to(kind, place);
    }

    public Count serverFirst(Direction direction, String target) {
        return learned.with(direction.toString(), target);
    }

    /** Registers a number that is looked up when it is asked for. */
    public void gauge(String name, LongSupplier value) {
        registry.gauge(name, value);
    }

    /** Registers numbers that are looked up when they are asked for: what there is now has a series, and what is gone has none. */
    public void gauges(String name, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        registry.gauges(name, help, labels, values);
    }

    /** The same for numbers that only grow. */
    public void counters(String name, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        registry.counters(name, help, labels, values);
    }

    /** Everything in Prometheus' text format 0.0.4. */
    public String render() {
        return registry.render();
    }

    private static Map<Verdict, Family<Count>> authorizations(Registry registry) {
        Map<Verdict, Family<Count>> families = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            String name = "inbound_tcp_authz_" + verdict.name().toLowerCase(Locale.ROOT) + "_total";
            families.put(verdict, registry.counter(name, verdict.help, List.of("target", "client_id")));
        }
        return families;
    }
}
