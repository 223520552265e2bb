package io.parley.proxy.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.parley.proxy.tcp.Transport;
import io.parley.proxy.tls.NoCertificateException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** By what sockets really say. */
class ShortageTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @ParameterizedTest
    @EnumSource
    void aPortThatIsNotToBeHadIsAShortage(Transport.Kind kind) throws IOException {
        try (Transport transport = Transport.of(kind, 1);
                ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Bootstrap dialler = dialler(transport);
            Channel first = dialler.connect(server.getLocalSocketAddress(), ANY)
                    .syncUninterruptibly()
                    .channel();
            // The kernel says the same of two connections that would be one as of a machine without a free port.
            Throwable cause = failure(dialler, server.getLocalSocketAddress(), first.localAddress());
            assertThat(Shortage.isBehind(cause)).as(cause.toString()).isTrue();
            first.close().syncUninterruptibly();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsNotThereIsNone(Transport.Kind kind) throws IOException {
        try (Transport transport = Transport.of(kind, 1)) {
            SocketAddress nobody;
            try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                nobody = gone.getLocalSocketAddress();
            }
            Throwable cause = failure(dialler(transport), nobody, ANY);
            assertThat(Shortage.isBehind(cause)).as(cause.toString()).isFalse();
        }
    }

    @Test
    void aSocketOrACertificateThatIsNotToBeHadIsAShortage() {
        assertThat(Shortage.isBehind(new ChannelException("too many open files")))
                .isTrue();
        assertThat(Shortage.isBehind(new NoCertificateException("this proxy has no certificate yet")))
                .isTrue();
        assertThat(Shortage.isBehind(new ConnectException())).isFalse();
    }

    private static Bootstrap dialler(Transport transport) {
        return new Bootstrap()
                .group(transport.loops())
                .channel(
                        switch (transport.kind()) {
                            case EPOLL -> EpollSocketChannel.class;
                            case NIO -> NioSocketChannel.class;
                        })
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {}
                });
    }

    private static Throwable failure(Bootstrap dialler, SocketAddress to, SocketAddress from) {
        return Objects.requireNonNull(
                dialler.connect(to, from).awaitUninterruptibly().cause());
    }
}
