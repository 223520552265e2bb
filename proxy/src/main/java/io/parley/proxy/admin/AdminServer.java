package io.parley.proxy.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
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
import io.netty.util.concurrent.DefaultThreadFactory;
import io.parley.proxy.listen.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves the admin page on an event loop of its own, so that it answers when the others are busy. */
public final class AdminServer implements AutoCloseable {
    private static final int MAX_BODY = 1_024;
    private static final int IDLE_SECONDS = 120;

    private final MultiThreadIoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("admin", true), NioIoHandler.newFactory());
    private final Channel server;

    /** Listens at once, or throws. Who has what the file {@code token} says is an administrator; without a file nobody is. */
    public AdminServer(InetSocketAddress address, @Nullable Path token, Proxy proxy, Runnable drain) {
        AdminPages pages = new AdminPages(proxy, drain);
        ChannelFuture binding = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new ReadTimeoutHandler(IDLE_SECONDS),
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_BODY),
                                        new PageHandler(pages, token));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            loop.shutdownGracefully();
            throw new IllegalStateException(
                    "cannot listen on " + address + ": " + binding.cause().getMessage(), binding.cause());
        }
        server = binding.channel();
        proxy.machinery().own().add(address());
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
        private final @Nullable Path token;

        PageHandler(AdminPages pages, @Nullable Path token) {
            this.pages = pages;
            this.token = token;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            Answer answer = isForUs(request)
                    ? pages.answer(visitor(ctx, request), request.method(), path(request.uri()))
                    : Answer.text(
                            HttpResponseStatus.MISDIRECTED_REQUEST, "host (expected: localhost or an IP address)");
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    answer.status(),
                    Unpooled.copiedBuffer(answer.body(), StandardCharsets.UTF_8));
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                    .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
            boolean keep = HttpUtil.isKeepAlive(request);
            if (!keep) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            ChannelFuture written = ctx.writeAndFlush(response);
            if (!keep) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        /** A page of a foreign site, whose name was made to point here, must not reach this one (DNS rebinding). */
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
