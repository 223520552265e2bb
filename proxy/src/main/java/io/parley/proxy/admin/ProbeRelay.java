package io.parley.proxy.admin;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.parley.proxy.AddressText;
import io.parley.proxy.http1.OriginFields;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application how it is, for a kubelet, which is no member of the mesh and is refused where only members may ask. Nothing is asked
 * but what is listed, so this opens no door to the application (docs/decisions/0291).
 */
final class ProbeRelay {
    static final String PATH = "/probe/";
    private static final int CONNECT_MILLIS = 5_000;
    private static final int ANSWER_SECONDS = 60;
    private static final int REDIRECTION = 3;
    /** Anybody may dial this page: one that asks and asks leaves room for the kubelet, which has another address. */
    static final int CALLERS_AT_ONCE = 4;

    private static final int MIN_FOR_ONE = 8;
    /** A kubelet asks whether a container is alive and whether it is ready at the same time, maybe by the same path. */
    private static final int KINDS = 2;

    private final Set<String> listed;
    private final ChannelFactory<? extends Channel> sockets;
    private final int maxForOne;
    private final Map<InetAddress, Integer> asked = new HashMap<>();
    private int askedInAll;

    /** Asks for these: port and path, as {@code 8080/healthz}. */
    ProbeRelay(Collection<String> listed) {
        this(listed, NioSocketChannel::new);
    }

    /** Asks with sockets that are made so. */
    ProbeRelay(Collection<String> listed, ChannelFactory<? extends Channel> sockets) {
        this.listed = Set.copyOf(listed);
        this.sockets = sockets;
        this.maxForOne = Math.max(MIN_FOR_ONE, KINDS * this.listed.size());
    }

    boolean isFor(String uri) {
        return uri.startsWith(PATH);
    }

    /**
     * Asks at the address that {@code kubelet} has dialled, as it would have done itself, and tells the outcome once. All on the one event
     * loop of the admin page.
     */
    void ask(Channel kubelet, FullHttpRequest request, Consumer<Answer> outcome) {
        String wanted = request.uri().substring(PATH.length());
        if (!listed.contains(wanted) || !request.method().equals(HttpMethod.GET)) {
            outcome.accept(Answer.text(
                    HttpResponseStatus.NOT_FOUND,
                    request.method() + " " + PATH + wanted + " (expected: a listed probe)"));
            return;
        }
        InetAddress caller = ((InetSocketAddress) kubelet.remoteAddress()).getAddress();
        int its = asked.getOrDefault(caller, 0);
        if (its == maxForOne || askedInAll == maxForOne * CALLERS_AT_ONCE) {
            outcome.accept(Answer.text(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    askedInAll + " probes are asked already, " + its + " of them for " + caller.getHostAddress()
                            + "; try again"));
            return;
        }
        askedInAll++;
        asked.put(caller, its + 1);
        connect(kubelet, request, wanted, answer -> {
            askedInAll--;
            asked.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
            outcome.accept(answer);
        });
    }

    private void connect(Channel kubelet, FullHttpRequest request, String wanted, Consumer<Answer> outcome) {
        int slash = wanted.indexOf('/');
        InetSocketAddress own = (InetSocketAddress) kubelet.localAddress();
        InetSocketAddress application =
                new InetSocketAddress(own.getAddress(), Integer.parseInt(wanted.substring(0, slash)));
        FullHttpRequest question = question(request, wanted.substring(slash), own, application);
        ChannelFuture connecting = new Bootstrap()
                .group(kubelet.eventLoop())
                .channelFactory(sockets)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new ReadTimeoutHandler(ANSWER_SECONDS),
                                        new HttpClientCodec(),
                                        new Reply(outcome));
                    }
                })
                .connect(application);
        if (connecting.channel().isRegistered()) {
            // Who gave up waiting does not want to know: the next question may be its own.
            kubelet.closeFuture().addListener(_ -> connecting.channel().close());
        }
        connecting.addListener((ChannelFutureListener) connected -> {
            if (connected.isSuccess()) {
                connected.channel().writeAndFlush(question);
            } else {
                question.release();
                tell(kubelet.eventLoop(), outcome, failure(connected.cause()));
            }
        });
    }

    /** Without a file descriptor for the socket there is no channel, and who listens for it is called on a thread of Netty's. */
    private static void tell(EventLoop loop, Consumer<Answer> outcome, Answer answer) {
        if (loop.inEventLoop()) {
            outcome.accept(answer);
        } else {
            loop.execute(() -> outcome.accept(answer));
        }
    }

    private static FullHttpRequest question(
            FullHttpRequest request, String path, InetSocketAddress own, InetSocketAddress application) {
        FullHttpRequest question =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path, Unpooled.EMPTY_BUFFER);
        question.headers()
                .set(request.headers())
                .remove(HttpHeaderNames.AUTHORIZATION)
                .remove(HttpHeaderNames.CONTENT_LENGTH)
                .remove(HttpHeaderNames.TRANSFER_ENCODING)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        request.headers().names().stream().filter(ProbeRelay::isForMembers).forEach(question.headers()::remove);
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        if (host.isEmpty() || host.endsWith(":" + own.getPort())) {
            question.headers().set(HttpHeaderNames.HOST, AddressText.of(application));
        }
        return question;
    }

    /**
     * The application may believe what these fields say, since the proxy of its port lets only members say it. To one that makes variables of
     * fields, as CGI does, an underscore is a dash, which is why nobody may write one there.
     */
    private static boolean isForMembers(String name) {
        return name.indexOf('_') >= 0 || OriginFields.tells(name);
    }

    private static Answer failure(@Nullable Throwable cause) {
        return Answer.text(
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                "the application did not answer: " + (cause == null ? "it closed the connection" : cause.getMessage()));
    }

    /** The status is the answer. */
    private static final class Reply extends SimpleChannelInboundHandler<HttpObject> {
        private final Consumer<Answer> outcome;
        private boolean told;

        Reply(Consumer<Answer> outcome) {
            this.outcome = outcome;
        }

        private void tell(ChannelHandlerContext ctx, Answer answer) {
            if (!told) {
                told = true;
                outcome.accept(answer);
                ctx.close();
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpResponse response && response.status().code() >= 200) {
                tell(ctx, Answer.text(status(response), "the application answered " + response.status()));
            }
        }

        /** To a kubelet a redirection is a success. It would be one to this page if it were passed on, which is another one. */
        private static HttpResponseStatus status(HttpResponse response) {
            return response.decoderResult().isFailure()
                    ? HttpResponseStatus.BAD_GATEWAY
                    : response.status().code() / 100 == REDIRECTION ? HttpResponseStatus.OK : response.status();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            tell(ctx, failure(null));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            tell(ctx, failure(cause));
        }
    }
}
