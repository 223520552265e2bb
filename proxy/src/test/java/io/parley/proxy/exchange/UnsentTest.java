package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether a peer takes what it was sent, whatever else is put behind that. */
class UnsentTest {
    private static final Duration TIME = Duration.ofNanos(10);
    private static final int PIECE = 16 << 10;
    private static final int SMALL = 4 << 10;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ServerSocket server = new ServerSocket();
    private Channel channel;
    private Socket peer;
    private Unsent unsent;

    UnsentTest() throws IOException {}

    @BeforeEach
    void connect() throws IOException {
        server.setReceiveBufferSize(SMALL);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.SO_SNDBUF, SMALL)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .syncUninterruptibly()
                .channel();
        peer = server.accept();
        unsent = new Unsent(channel);
    }

    @AfterEach
    void close() throws IOException {
        channel.close().syncUninterruptibly();
        peer.close();
        server.close();
        loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private <T> T onLoop(Callable<T> task) {
        return channel.eventLoop().submit(task).syncUninterruptibly().getNow();
    }

    private boolean isStuck(long now) {
        return onLoop(() -> unsent.isStuck(now, TIME));
    }

    private long left() {
        return onLoop(() -> Unsent.of(channel));
    }

    private void write(long bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[(int) bytes]));
    }

    /** Sends more than the system takes. */
    private void fill() {
        for (int i = 0; i < 256; i++) {
            write(PIECE);
        }
        AtomicLong last = new AtomicLong();
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            long now = left();
            return now > 2 * PIECE && last.getAndSet(now) == now;
        });
    }

    @Test
    void whereNothingWaitsNothingIsStuck() {
        assertThat(isStuck(1_000)).isFalse();
        assertThat(isStuck(2_000)).isFalse();
        fill();
        assertThat(isStuck(3_000))
                .as("the first look knows nothing of what was before")
                .isFalse();
        assertThat(isStuck(3_010)).isFalse();
        assertThat(isStuck(3_011)).isTrue();
    }

    @Test
    void whatWasNotHandedToTheSocketCannotBeTaken() {
        onLoop(() -> channel.write(Unpooled.wrappedBuffer(new byte[1])));
        assertThat(isStuck(1_000)).isFalse();
        assertThat(isStuck(2_000)).isFalse();
    }

    @Test
    void thatMoreIsPutBehindDoesNotMeanThatAnythingWasTaken() {
        fill();
        isStuck(1_000);
        write(PIECE);
        assertThat(isStuck(1_011)).isTrue();
    }

    @Test
    void thereMayBeMoreThanBeforeAlthoughSomeWasTaken() throws IOException {
        fill();
        isStuck(1_000);
        long before = left();
        while (left() == before) {
            assertThat(peer.getInputStream().read(new byte[SMALL])).isPositive();
        }
        while (left() < before) {
            write(PIECE);
        }
        assertThat(isStuck(1_011)).isFalse();
    }
}
