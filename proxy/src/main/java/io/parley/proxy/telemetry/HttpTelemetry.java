package io.parley.proxy.telemetry;

import io.parley.proxy.AddressText;
import io.parley.proxy.Direction;
import java.net.InetSocketAddress;
import java.util.List;

/** The numbers about requests: how many, how they ended, how long they took. Labels come from configuration, never from clients. */
public final class HttpTelemetry {
    private static final List<String> ROUTE = List.of("direction", "target", "route");

    private final Family<Count> requests;
    private final Family<Count> responses;
    private final Family<Histogram> duration;
    private final Family<Count> errors;
    private final Family<Count> retries;
    private final Family<Count> refused;
    private final Family<Count> mismatches;
    private final Complaints complaints = new Complaints();
    private final FailureLog failures = new FailureLog("requests to", "fail");
    private final FailureLog abuses = new FailureLog("clients of", "are turned away");

    HttpTelemetry(Registry registry) {
        requests = registry.counter("request_total", "Requests that began.", ROUTE);
        responses = registry.counter(
                "response_total",
                "Requests that ended, by the status of the answer, and by that of gRPC if it is a call of gRPC.",
                List.of("direction", "target", "route", "status_code", "grpc_status", "classification"));
        duration = registry.histogram(
                "http_request_duration_seconds", "Time from a request's head to the end of the answer.", ROUTE);
        errors = registry.counter(
                "http_errors_total",
                "Requests that the proxy answered by itself, by cause.",
                List.of("direction", "cause"));
        retries = registry.counter("http_retries_total", "Requests sent again, by cause.", List.of("target", "cause"));
        refused = registry.counter(
                "http_abuse_total", "Connections ended for what a peer did, by kind.", List.of("direction", "kind"));
        mismatches = registry.counter(
                "parley_backend_protocol_errors_total",
                "Requests that failed since a server spoke something else than it is declared to.",
                List.of("cluster", "expected"));
        // Routes and clusters come and go.
        registry.dropIdle(requests, duration);
        registry.dropIdle(responses);
        registry.dropIdle(retries);
        registry.dropIdle(mismatches);
    }

    /** The numbers of one route. */
    public HttpSeries route(Direction direction, String target, String route) {
        String way = direction.toString();
        return new HttpSeries(
                requests.with(way, target, route),
                duration.with(way, target, route),
                (status, grpc) -> responses.with(
                        way,
                        target,
                        route,
                        status == 0 ? "none" : Integer.toString(status),
                        grpc < 0 ? "" : Integer.toString(grpc),
                        status == 0 || status >= 500 || isFailure(grpc) ? "failure" : "success"));
    }

    /** The codes that OpenTelemetry counts as errors of a server: the others are what an application may well have meant. */
    public static boolean isFailure(int grpc) {
        return switch (grpc) {
            case 2, 4, 12, 13, 14, 15 -> true;
            default -> false;
        };
    }

    public Count error(Direction direction, String cause) {
        return errors.with(direction.toString(), cause);
    }

    public Count retry(String target, String cause) {
        return retries.with(target, cause);
    }

    /** A server spoke something else than it is declared to. */
    public Count mismatch(String cluster, String expected) {
        return mismatches.with(cluster, expected);
    }

    public Complaints complaints() {
        return complaints;
    }

    public FailureLog failures() {
        return failures;
    }

    /** A client did what it must not: it is counted, and logged with where the last one comes from. */
    public void abuse(Direction direction, String target, String kind, InetSocketAddress client, long now) {
        refused.with(direction.toString(), kind).increment();
        abuses.note(target, kind, "the last one is " + AddressText.of(client), now);
    }
}
