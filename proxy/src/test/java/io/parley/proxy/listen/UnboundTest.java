package io.parley.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.Errors;
import io.parley.proxy.listen.Unbound.Obstacle;
import io.parley.proxy.tcp.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in the way of a listener is told apart, in whatever language the machine speaks. */
class UnboundTest {
    /** RFC 5737: an address for documentation, which no machine has. */
    private static final String NOBODYS = "192.0.2.1";

    @ParameterizedTest
    @EnumSource
    void anAddressThatTheMachineDoesNotHave(Transport.Kind kind) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(NOBODYS), 0);
        assertThat(Unbound.of("web", address, failure(kind, address)).obstacle())
                .isEqualTo(Obstacle.NO_ADDRESS);
    }

    @ParameterizedTest
    @EnumSource
    void aPortThatSomebodyElseHas(Transport.Kind kind) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) other.getLocalSocketAddress();
            assertThat(Unbound.of("web", address, failure(kind, address)).obstacle())
                    .isEqualTo(Obstacle.NO_PORT);
        }
    }

    @Test
    void aPortThatOnlyOthersMayHave() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
        int denied = -13; // Linux's EACCES
        Unbound unbound = Unbound.of("web", address, new Errors.NativeIoException("bind", denied));
        assertThat(unbound.obstacle()).isEqualTo(Obstacle.NOT_ALLOWED);
        assertThat(unbound.text()).contains("Permission denied", "(listener web: a port from 1024 on, or CAP_NET");
    }

    @Test
    void theWordsDoNotMatter() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(NOBODYS), 80);
        BindException foreign = new BindException("Die angeforderte Adresse kann nicht zugewiesen werden");
        assertThat(Unbound.of("web", address, foreign).obstacle()).isEqualTo(Obstacle.NO_ADDRESS);
        BindException misleading = new BindException("Cannot assign requested address");
        assertThat(Unbound.of("web", new InetSocketAddress(80), misleading).obstacle())
                .isEqualTo(Obstacle.NO_PORT);
        assertThat(Unbound.of("web", InetSocketAddress.createUnresolved("nowhere.invalid", 80), foreign)
                        .obstacle())
                .isEqualTo(Obstacle.NO_ADDRESS);
    }

    private static Throwable failure(Transport.Kind kind, InetSocketAddress address) {
        assumeTrue(kind == Transport.Kind.NIO || Epoll.isAvailable(), "needs Linux");
        Class<? extends ServerChannel> socket = switch (kind) {
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
        try (Transport transport = Transport.of(kind, 1)) {
            EventLoopGroup loops = transport.loops();
            ChannelFuture binding = new ServerBootstrap()
                    .group(loops)
                    .channel(socket)
                    .childHandler(new ChannelInboundHandlerAdapter())
                    .bind(address)
                    .awaitUninterruptibly();
            return Objects.requireNonNull(binding.cause(), "bound");
        }
    }
}
