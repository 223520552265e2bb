package io.parley.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A backend that answers with what it got, as the conformance suite's does: HTTP/1.1 and HTTP/2 in clear text on one port. */
final class EchoBackend implements AutoCloseable {
    private final String pod;
    private final Server server;

    EchoBackend(String pod) {
        this.pod = pod;
        this.server = Server.builder()
                .port(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SessionProtocol.HTTP)
                .service(
                        "/ws",
                        WebSocketService.builder((_, in) -> {
                                    var out = WebSocket.streaming();
                                    in.subscribe(new WebSocketEcho(out));
                                    return out;
                                })
                                .allowedOrigins("*")
                                .fallbackService(this::echo)
                                .build())
                .service(
                        "/status/{code}",
                        (context, _) -> HttpResponse.of(
                                HttpStatus.valueOf(Integer.parseInt(String.valueOf(context.pathParam("code"))))))
                .serviceUnder("/", this::echo)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .build();
        server.start().join();
    }

    int port() {
        return server.activeLocalPort();
    }

    private HttpResponse echo(ServiceRequestContext context, HttpRequest request) {
        ObjectNode seen = JsonNodeFactory.instance.objectNode();
        seen.put("path", request.path());
        seen.put("host", request.authority());
        seen.put("method", request.method().name());
        seen.put("proto", context.sessionProtocol().isMultiplex() ? "HTTP/2.0" : "HTTP/1.1");
        seen.put("pod", pod);
        ObjectNode headers = seen.putObject("headers");
        request.headers()
                .forEach((name, value) -> headers.put(
                        name.toString(),
                        headers.has(name.toString())
                                ? headers.path(name.toString()).asText() + "," + value
                                : value));
        String delay = context.queryParam("delay");
        HttpResponse answer = HttpResponse.of(HttpStatus.OK, MediaType.JSON, seen.toString());
        return delay == null ? answer : HttpResponse.delayed(answer, Duration.ofMillis(Long.parseLong(delay)));
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
