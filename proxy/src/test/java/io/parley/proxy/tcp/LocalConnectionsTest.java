package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the kernel does about congestion, on a connection that never leaves the machine. */
class LocalConnectionsTest {
    private static final RawUnixChannelOption CONGESTION = new RawUnixChannelOption("TCP_CONGESTION", 6, 13, 4);

    @Test
    void nothingPacesAConnectionThatStaysOnThisMachine() throws IOException {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        try (Transport transport = Transport.of(Transport.Kind.EPOLL, 1);
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = dial(transport, server);
            channel.eventLoop().submit(() -> transport.easeIfLocal(channel)).syncUninterruptibly();
            ByteBuffer chosen = channel.config().getOption(CONGESTION);
            assertThat(StandardCharsets.US_ASCII.decode(chosen).toString()).isEqualTo("reno");
        }
    }

    @Test
    void aConnectionThatIsGoneIsLeftAlone() throws IOException {
        try (Transport transport = Transport.best(1);
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = dial(transport, server);
            channel.close().syncUninterruptibly();
            assertThat(channel.eventLoop()
                            .submit(() -> transport.easeIfLocal(channel))
                            .awaitUninterruptibly()
                            .isSuccess())
                    .isTrue();
        }
    }

    private static Channel dial(Transport transport, ServerSocket server) {
        InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
        return new Bootstrap()
                .group(transport.loops())
                .channelFactory(() -> transport.newSocket(address))
                .handler(new ChannelInboundHandlerAdapter())
                .connect(address)
                .syncUninterruptibly()
                .channel();
    }
}
