package io.parley.cli.gateway;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.server.AcceptLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A backend that answers with what it got, as the conformance suite's does: HTTP/1.1, HTTP/2 and WebSockets on one port. */
final class EchoBackend implements AutoCloseable {
    private final String pod;
    private final Server server;
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** In clear text. */
    EchoBackend(String pod) {
        this(pod, Server.builder().port(anywhere(), SessionProtocol.HTTP));
    }

    /** Behind TLS. */
    EchoBackend(String pod, Credentials shown) {
        this(
                pod,
                Server.builder()
                        .port(anywhere(), SessionProtocol.HTTPS)
                        .tls(TlsKeyPair.of(shown.key(), shown.chain().toArray(X509Certificate[]::new))));
    }

    /** Behind TLS, for callers that show a certificate, whichever; who they are is echoed. */
    static EchoBackend ofKnownCallers(String pod, Credentials shown) {
        return new EchoBackend(
                pod,
                Server.builder()
                        .port(anywhere(), SessionProtocol.HTTPS)
                        .tls(TlsKeyPair.of(shown.key(), shown.chain().toArray(X509Certificate[]::new)))
                        .tlsCustomizer(tls ->
                                tls.clientAuth(ClientAuth.REQUIRE).trustManager(InsecureTrustManagerFactory.INSTANCE)));
    }

    private EchoBackend(String pod, ServerBuilder builder) {
        this.pod = pod;
        this.server = builder.service(
                        "/ws",
                        WebSocketService.builder((_, in) -> {
                                    var out = WebSocket.streaming();
                                    in.subscribe(new WebSocketEcho(out));
                                    return out;
                                })
                                .allowedOrigins("*")
                                .fallbackService(this::echo)
                                .build())
                .serviceUnder("/", this::echo)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .bossGroupFactory(AcceptLoops::named)
                .build();
        server.start().join();
    }

    private static InetSocketAddress anywhere() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    int port() {
        return server.activeLocalPort();
    }

    /** What it was asked for so far. */
    List<String> paths() {
        return paths;
    }

    /** {@code ?delay=MILLIS} delays the answer; {@code ?fails=N} makes the first N of the same path 503. */
    private HttpResponse echo(ServiceRequestContext context, HttpRequest request) {
        paths.add(request.path());
        String fails = context.queryParam("fails");
        if (fails != null && failures.merge(request.path(), 1, Integer::sum) <= Integer.parseInt(fails)) {
            return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
        }
        HttpResponse answer = HttpResponse.of(
                HttpStatus.OK, MediaType.JSON, seen(context, request).toString());
        String delay = context.queryParam("delay");
        return delay == null ? answer : HttpResponse.delayed(answer, Duration.ofMillis(Long.parseLong(delay)));
    }

    private ObjectNode seen(ServiceRequestContext context, HttpRequest request) {
        ObjectNode seen = JsonNodeFactory.instance.objectNode();
        seen.put("path", request.path());
        seen.put("host", request.authority());
        seen.put("method", request.method().name());
        seen.put("proto", context.sessionProtocol().isMultiplex() ? "HTTP/2.0" : "HTTP/1.1");
        seen.put("pod", pod);
        SSLSession tls = context.sslSession();
        seen.put("tls", tls != null);
        seen.put("caller", caller(tls));
        ObjectNode headers = seen.putObject("headers");
        request.headers()
                .forEach((name, value) -> headers.put(
                        name.toString(),
                        headers.has(name.toString())
                                ? headers.path(name.toString()).asText() + "," + value
                                : value));
        return seen;
    }

    private static String caller(@Nullable SSLSession tls) {
        try {
            return tls == null
                    ? ""
                    : SpiffeId.allIn((X509Certificate) tls.getPeerCertificates()[0])
                            .getFirst()
                            .toString();
        } catch (SSLPeerUnverifiedException e) {
            return "";
        }
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
