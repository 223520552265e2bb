package io.parley.proxy.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.NetUtil;
import io.parley.proxy.listen.CannotListenException;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.socket.EventLoops;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the admin page on an event loop of its own, so that it answers when the others are busy. */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int MAX_BODY = 1_024;
    private static final int IDLE_SECONDS = 120;

    private final EventLoops loop = new EventLoops(1, "admin", NioIoHandler.newFactory());
    private final Channel server;

    /**
     * Who may do what beside looking.
     *
     * @param token a file; who shows what it says is an administrator. Null if nobody is
     * @param probes what anybody may have the application asked for: port and path, as {@code 8080/healthz}
     */
    public record Visits(@Nullable Path token, List<String> probes) {
        public Visits {
            probes = List.copyOf(probes);
        }
    }

    /** Listens at once, or throws. */
    public AdminServer(
            InetSocketAddress address, Visits visits, Proxy proxy, Supplier<Guidance> guidance, Runnable drain) {
        AdminPages pages = new AdminPages(proxy, guidance, drain);
        ProbeRelay probes = new ProbeRelay(visits.probes());
        tellOf(visits.token());
        Crowd crowd = new Crowd(
                proxy.machinery().telemetry(), proxy.machinery().surroundings().ticker());
        ChannelFuture binding = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        crowd,
                                        new ReadTimeoutHandler(IDLE_SECONDS),
                                        new RequestTimeout(),
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_BODY),
                                        new PageHandler(pages, probes, visits.token()));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            loop.shutdownGracefully();
            throw new CannotListenException(
                    address, binding.cause().getMessage() + " (its admin page: another port with --admin HOST:PORT)");
        }
        server = binding.channel();
        proxy.machinery().own().add(address());
    }

    /** The file may come later, or be replaced. */
    private static void tellOf(@Nullable Path token) {
        if (token == null || Files.isReadable(token)) {
            return;
        }
        if (Files.exists(token)) {
            LOG.warn("{} cannot be read: nobody is an administrator of this proxy", token);
        } else {
            LOG.info("there is no {}: nobody is an administrator of this proxy", token);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    @Override
    public void close() {
        server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final AdminPages pages;
        private final ProbeRelay probes;
        private final @Nullable Path token;
        private boolean probing;

        PageHandler(AdminPages pages, ProbeRelay probes, @Nullable Path token) {
            this.pages = pages;
            this.probes = probes;
            this.token = token;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            ctx.pipeline().get(RequestTimeout.class).whole();
            if (probing) {
                return;
            }
            if (request.decoderResult().isFailure()) {
                respond(ctx, unreadable(request.decoderResult().cause()), false);
                return;
            }
            // Before it is asked whom the request is for: kubelets may be told to name any host.
            if (probes.isFor(request.uri())) {
                // Its answer is the connection's last, so that nobody asks for the next one before it is there.
                probing = true;
                ctx.pipeline().addFirst(new Remainder());
                probes.ask(ctx.channel(), request, answer -> respond(ctx, answer, false));
                return;
            }
            Answer answer = isForUs(request)
                    ? pages.answer(visitor(ctx, request), request.method(), path(request.uri()))
                    : Answer.text(
                            HttpResponseStatus.MISDIRECTED_REQUEST, "host (expected: localhost or an IP address)");
            respond(ctx, answer, HttpUtil.isKeepAlive(request));
        }

        private static void respond(ChannelHandlerContext ctx, Answer answer, boolean keep) {
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    answer.status(),
                    Unpooled.copiedBuffer(answer.body(), StandardCharsets.UTF_8));
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                    .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
            if (!keep) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            ChannelFuture written = ctx.writeAndFlush(response);
            if (!keep) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        /** What follows on the connection cannot be told from what came. */
        private static Answer unreadable(Throwable cause) {
            return cause instanceof TooLongFrameException
                    ? Answer.text(
                            HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, String.valueOf(cause.getMessage()))
                    : Answer.text(HttpResponseStatus.BAD_REQUEST, "a request that cannot be read");
        }

        /**
         * A page of a foreign site, whose name was made to point here, must not reach this one (DNS rebinding). Browsers always name the
         * host; what does not is a probe.
         */
        private static boolean isForUs(FullHttpRequest request) {
            String host = request.headers().get(HttpHeaderNames.HOST, "localhost");
            String name = host.replaceFirst(":[0-9]+$", "");
            return name.equals("localhost")
                    || NetUtil.isValidIpV4Address(name)
                    || (name.startsWith("[") && name.endsWith("]"));
        }

        private Visitor visitor(ChannelHandlerContext ctx, FullHttpRequest request) {
            return Visitor.of(
                    ctx.channel().remoteAddress(), request.headers().get(HttpHeaderNames.AUTHORIZATION), token);
        }

        private static String path(String uri) {
            int query = uri.indexOf('?');
            return query < 0 ? uri : uri.substring(0, query);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
