package io.parley.proxy.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that are accepted and dialled, from the first to the last of them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EdgeListenerTest {
    private static final IntegerUnixChannelOption NO_DELAY = new IntegerUnixChannelOption("TCP_NODELAY", 6, 1);

    @SuppressWarnings("NullAway.Init")
    private EventLoopGroup loop;

    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        loop = new EventLoops(1, "test", EdgeEpoll.newFactory());
    }

    @AfterEach
    void stop() {
        if (loop != null) {
            loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Sharable
    private final class Accepted extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            accepted.add(ctx.channel());
        }
    }

    private Channel listen(InetAddress address) {
        return new ServerBootstrap()
                .group(loop)
                .channelFactory(() -> EdgeListener.at(new InetSocketAddress(address, 0)))
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new Accepted())
                .bind(address, 0)
                .syncUninterruptibly()
                .channel();
    }

    private static Socket dial(Channel listener) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), address(listener).getPort());
    }

    private static InetSocketAddress address(Channel channel) {
        return (InetSocketAddress) channel.localAddress();
    }

    private Channel take() throws InterruptedException {
        @Nullable Channel next = accepted.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private ChannelFuture connect(InetSocketAddress to) {
        return new Bootstrap()
                .group(loop)
                .channelFactory(() -> EdgeSocket.to(to))
                .handler(new ChannelInboundHandlerAdapter())
                .connect(to);
    }

    @Test
    void aConnectionKnowsBothAddressesWhereverItsListenerIs() throws Exception {
        for (InetAddress at : new InetAddress[] {InetAddress.getLoopbackAddress(), InetAddress.getByName("0.0.0.0")}) {
            Channel listener = listen(at);
            try (Socket client = dial(listener)) {
                Channel channel = take();
                assertThat(channel.localAddress()).isEqualTo(client.getRemoteSocketAddress());
                assertThat(channel.remoteAddress()).isEqualTo(client.getLocalSocketAddress());
            }
        }
    }

    @Test
    void aListenerAtAllAddressesHearsClientsOfBothVersions() throws Exception {
        Channel listener = listen(InetAddress.getByName("0.0.0.0"));
        try (Socket client = new Socket()) {
            client.connect(new InetSocketAddress(
                    InetAddress.ofLiteral("::1"), address(listener).getPort()));
            assertThat(take().remoteAddress()).isEqualTo(client.getLocalSocketAddress());
        } catch (ConnectException e) {
            assumeTrue(hasIpv6(), "needs IPv6");
            throw e;
        }
    }

    private static boolean hasIpv6() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(Inet6Address.class::isInstance);
    }

    /** Another one may have its number. */
    @Test
    void aConnectionThatIsClosedAsksTheKernelNothing() throws Exception {
        Channel listener = listen(InetAddress.getByName("0.0.0.0"));
        try (Socket _ = dial(listener)) {
            Channel channel = take();
            channel.close().syncUninterruptibly();
            try (Socket _ = dial(listener)) {
                take();
                assertThat(channel.localAddress()).isNull();
            }
        }
    }

    @Test
    void anAddressThatIsAskedForTooEarlyIsNotKept() {
        EdgeListener early = EdgeListener.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        assertThat(early.localAddress()).isNull();
        loop.register(early).syncUninterruptibly();
        early.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).syncUninterruptibly();
        assertThat(address(early).getPort()).isPositive();
    }

    @Test
    void aLoopOfAnotherKindRefusesIt() {
        EventLoopGroup plain = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        EdgeListener listener = EdgeListener.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        assertThat(plain.register(listener).awaitUninterruptibly().cause()).isInstanceOf(IllegalStateException.class);
        listener.unsafe().closeForcibly();
        plain.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void nothingIsHeldBackToBeSentTogether() throws Exception {
        Channel listener = listen(InetAddress.getLoopbackAddress());
        Channel dialled = connect(address(listener)).syncUninterruptibly().channel();
        assertThat(take().config().getOption(NO_DELAY)).isEqualTo(1);
        assertThat(dialled.config().getOption(NO_DELAY)).isEqualTo(1);
    }

    @Test
    void whoComesWhileNothingIsAcceptedIsAcceptedLater() throws Exception {
        Channel listener = listen(InetAddress.getLoopbackAddress());
        for (int i = 0; i < 20; i++) {
            listener.config().setAutoRead(false);
            // The loop has heard of it.
            listener.eventLoop().submit(() -> {}).syncUninterruptibly();
            try (Socket _ = dial(listener)) {
                listener.eventLoop().submit(() -> {}).syncUninterruptibly();
                assertThat(accepted).isEmpty();
                listener.config().setAutoRead(true);
                take().close().syncUninterruptibly();
            }
        }
    }

    @Test
    void anEndOfTheOtherSideEndsAConnectionThatIsNotToldOtherwise() throws Exception {
        Channel listener = listen(InetAddress.getLoopbackAddress());
        try (Socket client = dial(listener)) {
            Channel channel = take();
            client.shutdownOutput();
            channel.closeFuture().sync();
        }
    }

    @Test
    void aDialThatIsRefusedFailsByNameOfWhoWasDialled_andItsSocketIsClosed() throws Exception {
        InetSocketAddress nobody;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = (InetSocketAddress) gone.getLocalSocketAddress();
        }
        ChannelFuture dial = connect(nobody).awaitUninterruptibly();
        assertThat(dial.cause()).isInstanceOf(ConnectException.class).hasMessageContaining("" + nobody.getPort());
        dial.channel().closeFuture().sync();
    }

    @Test
    void aDialThatIsGivenUpSaysSo() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
            ChannelFuture dial = loop.submit(() -> {
                        ChannelFuture dialling = connect(address);
                        dialling.channel().close();
                        return dialling;
                    })
                    .get();
            assertThat(dial.awaitUninterruptibly().cause()).isInstanceOf(ClosedChannelException.class);
        }
    }

    /** More of them than one system call takes, of all kinds, to somebody who takes them slowly at first. */
    @Test
    void manyBuffersArriveInTheOrderInWhichTheyWereWritten() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Channel listener = listen(InetAddress.getLoopbackAddress());
        try (Socket client = dial(listener)) {
            Channel channel = take();
            ByteBuf expected = Unpooled.buffer();
            for (int i = 0; i < 3_000; i++) {
                byte[] bytes = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(4_000)];
                random.nextBytes(bytes);
                expected.writeBytes(bytes);
                channel.write(buffer(random, bytes));
            }
            channel.flush();
            byte[] all = new byte[expected.readableBytes()];
            expected.readBytes(all).release();
            assertThat(client.getInputStream().readNBytes(all.length))
                    .as("seed " + seed)
                    .isEqualTo(all);
        }
    }

    private static ByteBuf buffer(Random random, byte[] bytes) {
        return switch (random.nextInt(3)) {
            case 0 -> Unpooled.wrappedBuffer(bytes);
            case 1 -> Unpooled.directBuffer(bytes.length + 1).writeBytes(bytes);
            default -> {
                int middle = bytes.length / 2;
                yield Unpooled.wrappedBuffer(
                        Unpooled.directBuffer(middle + 1).writeBytes(bytes, 0, middle),
                        Unpooled.directBuffer(bytes.length + 1).writeBytes(bytes, middle, bytes.length - middle));
            }
        };
    }
}
