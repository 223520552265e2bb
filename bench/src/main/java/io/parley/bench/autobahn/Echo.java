package io.parley.bench.autobahn;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A WebSocket server that sends back what it gets. */
final class Echo implements AutoCloseable {
    private static final int LARGEST_FRAME = 16 << 20;

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final InetSocketAddress address;

    Echo() {
        Channel listening = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(1 << 16),
                                        new WebSocketServerProtocolHandler(config()),
                                        new Frames());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
        address = (InetSocketAddress) listening.localAddress();
    }

    InetSocketAddress address() {
        return address;
    }

    private static WebSocketServerProtocolConfig config() {
        return WebSocketServerProtocolConfig.newBuilder()
                .websocketPath("/")
                .checkStartsWith(true)
                .sendCloseFrame(null) // the decoder says why, which this would forestall
                .decoderConfig(WebSocketDecoderConfig.newBuilder()
                        .maxFramePayloadLength(LARGEST_FRAME)
                        .withUTF8Validator(true)
                        .closeOnProtocolViolation(true)
                        .build())
                .build();
    }

    @Override
    public void close() {
        var _ = loops.shutdownGracefully();
    }

    private static final class Frames extends SimpleChannelInboundHandler<WebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame instanceof PingWebSocketFrame) {
                var _ = ctx.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
            } else if (!(frame instanceof PongWebSocketFrame)) {
                var _ = ctx.writeAndFlush(frame.retain());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // A bad frame: the decoder has answered it and closes.
        }
    }
}
