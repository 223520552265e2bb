package io.parley.proxy.socket;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A loop with sockets of ours, and peers of them that do as a test says. */
final class SocketPairs implements AutoCloseable {
    private final RecordedEpoll epoll = new RecordedEpoll();
    private final EventLoopGroup loop;
    private final ServerSocket server;

    SocketPairs() throws IOException {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        loop = new MultiThreadIoEventLoopGroup(1, EdgeEpoll.over(epoll.over(EpollIoHandler.newFactory())));
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    RecordedEpoll epoll() {
        return epoll;
    }

    /** The other end of the next connection. */
    Socket accept() throws IOException {
        return server.accept();
    }

    @Override
    public void close() throws IOException {
        server.close();
        loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** A connection from the loop under test to a peer that does as the test says. */
    record Pair(EdgeSocket channel, Socket peer, BlockingQueue<String> received) {
        void send(String text) throws IOException {
            peer.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }

        @Nullable
        String take() throws InterruptedException {
            return received.poll(30, TimeUnit.SECONDS);
        }

        void inLoop(Runnable task) {
            channel.eventLoop().submit(task).syncUninterruptibly();
        }

        void close() throws IOException {
            channel.close().syncUninterruptibly();
            peer.close();
        }
    }

    /** What it hears is noted. */
    Bootstrap bootstrap(BlockingQueue<String> received) {
        return new Bootstrap()
                .group(loop)
                .channelFactory(() -> EdgeSocket.to((InetSocketAddress) server.getLocalSocketAddress()))
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.AUTO_READ, false)
                .remoteAddress((InetSocketAddress) server.getLocalSocketAddress())
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ByteBuf in = (ByteBuf) message;
                        received.add(in.toString(StandardCharsets.US_ASCII));
                        in.release();
                    }

                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        if (event == ChannelInputShutdownEvent.INSTANCE) {
                            received.add("end");
                        }
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        received.add("error");
                    }
                });
    }

    Pair open() throws IOException {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        Channel channel = bootstrap(received).connect().syncUninterruptibly().channel();
        return new Pair((EdgeSocket) channel, server.accept(), received);
    }
}
