package io.parley.proxy.admin;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.listen.Unbound;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the admin page answers, by method and path. */
final class AdminPages {
    private static final List<String> FOR_EVERYBODY = List.of("/live", "/ready");

    private final Proxy proxy;
    private final Supplier<Guidance> guidance;
    private final Runnable drain;

    /** On a request to drain, {@code drain} is run; it must not block. */
    AdminPages(Proxy proxy, Supplier<Guidance> guidance, Runnable drain) {
        this.proxy = proxy;
        this.guidance = guidance;
        this.drain = drain;
    }

    Answer answer(Visitor visitor, HttpMethod method, String path) {
        if (visitor == Visitor.STRANGER && !FOR_EVERYBODY.contains(path)) {
            return Answer.text(
                    HttpResponseStatus.FORBIDDEN,
                    path + " (expected: " + String.join(" or ", FOR_EVERYBODY)
                            + " from elsewhere, unless with the token of --admin-token)");
        }
        if (path.equals("/drain")) {
            return drain(visitor, method);
        }
        // The codec leaves the body of an answer to HEAD out.
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            return Answer.text(HttpResponseStatus.METHOD_NOT_ALLOWED, method + " (expected: GET or HEAD)");
        }
        return switch (path) {
            case "/live" -> Answer.text(HttpResponseStatus.OK, "live");
            case "/ready" ->
                whyNotReady()
                        .map(why -> Answer.text(HttpResponseStatus.SERVICE_UNAVAILABLE, why))
                        .orElseGet(() -> Answer.text(HttpResponseStatus.OK, "ready"));
            case "/metrics" -> Answer.metrics(proxy.machinery().telemetry().render());
            case "/time" ->
                Answer.text(HttpResponseStatus.OK, TimePage.of(proxy).text());
            case "/time.json" -> Answer.json(TimePage.of(proxy).json().toPrettyString());
            case "/connections" -> Answer.json(Dump.connections(proxy).toPrettyString());
            case "/config_dump" ->
                Answer.json(Dump.config(proxy, guidance.get()).toPrettyString());
            default ->
                Answer.text(
                        HttpResponseStatus.NOT_FOUND,
                        path
                                + " (expected: /ready, /live, /metrics, /time, /time.json, /connections, /config_dump,"
                                + " /drain, or /probe/PORT/PATH that --probe lists)");
        };
    }

    private Optional<String> whyNotReady() {
        if (!proxy.isReady()) {
            return Optional.of(proxy.isLeaving() ? "draining" : whyNoListener());
        }
        return proxy.config().needsIdentity() ? proxy.machinery().tls().whyUnusable() : Optional.empty();
    }

    private String whyNoListener() {
        return proxy.missing().isEmpty()
                ? "no configuration yet"
                : proxy.missing().stream().map(Unbound::text).collect(Collectors.joining("\n"));
    }

    private Answer drain(Visitor visitor, HttpMethod method) {
        if (!method.equals(HttpMethod.POST)) {
            return Answer.text(HttpResponseStatus.METHOD_NOT_ALLOWED, method + " (expected: POST)");
        }
        if (visitor != Visitor.ADMINISTRATOR) {
            return Answer.text(HttpResponseStatus.FORBIDDEN, "/drain (expected: the token of --admin-token)");
        }
        drain.run();
        return Answer.text(HttpResponseStatus.ACCEPTED, "draining");
    }
}
