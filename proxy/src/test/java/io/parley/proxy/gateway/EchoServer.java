package io.parley.proxy.gateway;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import com.linecorp.armeria.server.websocket.WebSocketServiceHandler;
import io.parley.link.server.AcceptLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A backend that says what it saw: the protocol that it was spoken to in, the request line and the header fields. It takes HTTP/1, HTTP/2
 * and WebSockets on one port, so that what was spoken is the gateway's choice.
 */
final class EchoServer implements AutoCloseable {
    private final String name;
    private final Server server;
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();

    private EchoServer(String name, Consumer<ServerBuilder> more) {
        this.name = name;
        ServerBuilder builder = Server.builder()
                .bossGroupFactory(AcceptLoops::named)
                .service(
                        "/ws",
                        WebSocketService.builder(new Echo())
                                .allowedOrigin(_ -> true)
                                .build())
                .serviceUnder(
                        "/status/",
                        (context, request) -> HttpResponse.of(HttpStatus.valueOf(
                                Integer.parseInt(context.mappedPath().substring(1)))))
                .service(
                        "prefix:/slow/",
                        (context, request) -> HttpResponse.delayed(HttpResponse.of("late"), Duration.ofSeconds(3)))
                .service(
                        "/flaky",
                        (context, request) -> HttpResponse.of(request.aggregate()
                                .thenApply(_ -> requests.incrementAndGet() % 3 == 0
                                        ? HttpResponse.of("third time")
                                        : HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE))))
                .serviceUnder(
                        "/",
                        (context, request) ->
                                HttpResponse.of(request.aggregate().thenApply(whole -> answer(context, whole))))
                .maxRequestLength(0)
                .requestTimeout(Duration.ZERO);
        more.accept(builder);
        this.server = builder.build();
        server.start().join();
    }

    static EchoServer start(String name) {
        return new EchoServer(
                name, builder -> builder.http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    static EchoServer start(String name, Consumer<ServerBuilder> more) {
        return new EchoServer(name, more);
    }

    int port() {
        return server.activeLocalPort();
    }

    /** What it has seen, each as {@code METHOD /path}. */
    List<String> seen() {
        return seen;
    }

    int requests() {
        return requests.get();
    }

    private HttpResponse answer(ServiceRequestContext context, AggregatedHttpRequest request) {
        seen.add(request.method() + " " + request.path());
        StringBuilder text = new StringBuilder();
        text.append("server=").append(name).append('\n');
        text.append("protocol=")
                .append(context.sessionProtocol().isMultiplex() ? "HTTP/2" : "HTTP/1")
                .append('\n');
        text.append("tls=").append(context.sessionProtocol().isTls()).append('\n');
        text.append("method=").append(request.method()).append('\n');
        text.append("path=").append(request.path()).append('\n');
        text.append("host=").append(request.authority()).append('\n');
        text.append("body=").append(request.contentUtf8()).append('\n');
        request.headers()
                .forEach((field, value) -> text.append(field.toString().toLowerCase(Locale.ROOT))
                        .append('=')
                        .append(value)
                        .append('\n'));
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.OK)
                        .contentType(MediaType.PLAIN_TEXT_UTF_8)
                        .add("x-server", name)
                        .build(),
                com.linecorp.armeria.common.HttpData.ofUtf8(text.toString()));
    }

    private static final class Echo implements WebSocketServiceHandler {
        @Override
        public WebSocket handle(ServiceRequestContext context, WebSocket in) {
            WebSocketWriter out = WebSocket.streaming();
            in.subscribe(new Subscriber<>() {
                @Override
                public void onSubscribe(Subscription subscription) {
                    subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(com.linecorp.armeria.common.websocket.WebSocketFrame frame) {
                    try (frame) {
                        if (frame.type() == WebSocketFrameType.TEXT) {
                            out.write(frame.text());
                        } else if (frame.type() == WebSocketFrameType.BINARY) {
                            out.write(frame.array());
                        } else if (frame.type() == WebSocketFrameType.PING) {
                            out.writePong(frame.array());
                        } else if (frame.type() == WebSocketFrameType.CLOSE) {
                            out.close();
                        }
                    }
                }

                @Override
                public void onError(Throwable cause) {
                    out.close(cause);
                }

                @Override
                public void onComplete() {
                    out.close();
                }
            });
            return out;
        }
    }

    /** Takes no more requests; the last threads end in a while. */
    @Override
    public void close() {
        var _ = server.stop();
    }
}
