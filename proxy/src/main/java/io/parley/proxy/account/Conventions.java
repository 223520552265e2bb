package io.parley.proxy.account;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.AddressText;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.route.RequestView;
import io.parley.proxy.telemetry.HttpTelemetry;
import io.parley.proxy.trace.Span;
import io.parley.proxy.trace.TraceConfig.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names and attributes of spans by OpenTelemetry's conventions for HTTP. Queries are left out, as people put secrets there, and what a
 * client can make long is cut.
 */
final class Conventions {
    private static final Set<String> METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");
    private static final int LONGEST = 1_024;

    private Conventions() {}

    /** One of a few: the method if it is a usual one, as no route tells which paths are alike. */
    static String name(String method) {
        return METHODS.contains(method) ? method : "HTTP";
    }

    /** What is known when a request begins. */
    static Map<String, Object> of(RequestView request, Connection connection, Version version, List<Tag> tags) {
        Map<String, Object> out = new LinkedHashMap<>();
        String method = request.method();
        out.put("http.request.method", METHODS.contains(method) ? method : "_OTHER");
        if (!METHODS.contains(method)) {
            out.put("http.request.method_original", cut(method));
        }
        if (connection.direction() == Direction.OUTBOUND) {
            out.put("url.full", cut(request.scheme() + "://" + request.authority() + request.path()));
        } else {
            out.put("url.scheme", request.scheme());
            out.put("url.path", cut(request.path()));
            out.put("client.address", AddressText.host(request.provenance().client()));
        }
        server(request.authority(), out);
        out.put("network.protocol.version", version == Version.HTTP2 ? "2" : "1.1");
        put(out, "user_agent.original", request.field("user-agent"));
        SpiffeId peer = connection.peer();
        put(out, "parley.peer", peer == null ? null : peer.toString());
        out.put("parley.target", connection.target());
        for (Tag tag : tags) {
            switch (tag) {
                case Tag.Literal(var name, var value) -> out.put(name, value);
                case Tag.Field(var name, var field, var absent) -> {
                    String value = request.named(field);
                    put(out, name, value == null ? absent : value);
                }
            }
        }
        return out;
    }

    private static void server(String authority, Map<String, Object> out) {
        int colon = authority.lastIndexOf(':');
        boolean port = colon > authority.lastIndexOf(']')
                && authority.substring(colon + 1).matches("[0-9]{1,5}");
        String host = port ? authority.substring(0, colon) : authority;
        put(out, "server.address", host.isEmpty() ? null : host);
        if (port) {
            out.put("server.port", Long.valueOf(authority.substring(colon + 1)));
        }
    }

    /** What is known when it is over. */
    static void end(
            Map<String, Object> out, @Nullable Endpoint endpoint, int tries, int status, @Nullable String error) {
        if (endpoint != null) {
            out.put("network.peer.address", AddressText.host(endpoint.dialled()));
            out.put("network.peer.port", (long) endpoint.dialled().getPort());
        }
        if (tries > 1) {
            out.put("http.request.resend_count", tries - 1L);
        }
        if (status != 0) {
            out.put("http.response.status_code", (long) status);
        }
        put(out, "error.type", error);
    }

    /**
     * The proxy's own word, or the status where it counts as an error: for who asked from 400 on, for who answered from 500 on. Of gRPC
     * every code but OK is an error for who asked.
     */
    static @Nullable String error(Span.Kind kind, int status, int grpc, @Nullable String cause) {
        int from = kind == Span.Kind.CLIENT ? 400 : 500;
        boolean failed = kind == Span.Kind.CLIENT ? grpc > 0 : HttpTelemetry.isFailure(grpc);
        if (status != 0 && status < from) {
            return !failed ? null : cause != null ? cause : Integer.toString(grpc);
        }
        return cause != null ? cause : status == 0 ? "cancelled" : Integer.toString(status);
    }

    private static void put(Map<String, Object> out, String name, @Nullable String value) {
        if (value != null) {
            out.put(name, cut(value));
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
