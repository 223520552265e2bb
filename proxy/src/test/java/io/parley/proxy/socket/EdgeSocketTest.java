package io.parley.proxy.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever becomes of what sockets wait for, and whenever: the kernel knows of it before the loop waits, and of no more than that. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EdgeSocketTest {
    private static final int LONG_ANSWER = 16 << 20;

    private final RecordedEpoll epoll = new RecordedEpoll();

    @SuppressWarnings("NullAway.Init")
    private EventLoopGroup loop;

    @SuppressWarnings("NullAway.Init")
    private ServerSocket server;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        loop = new MultiThreadIoEventLoopGroup(1, EdgeEpoll.over(epoll.over(EpollIoHandler.newFactory())));
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        if (loop != null) {
            server.close();
            loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** A connection from the loop under test to a peer that does as the test says. */
    private record Pair(EdgeSocket channel, Socket peer, BlockingQueue<String> received) {
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

    private Bootstrap bootstrap(BlockingQueue<String> received) {
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

    private Pair open() throws IOException {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        Channel channel = bootstrap(received).connect().syncUninterruptibly().channel();
        return new Pair((EdgeSocket) channel, server.accept(), received);
    }

    @Test
    void whatIsChangedFromAnotherThreadWhileTheLoopWaitsIsTold() throws Exception {
        Pair pair = open();
        for (int i = 0; i < 500; i++) {
            pair.channel.config().setAutoRead(i % 2 == 0);
            pair.send("x");
            pair.channel.config().setAutoRead(true);
            assertThat(pair.take()).isEqualTo("x");
        }
        pair.close();
    }

    @Test
    void theKernelIsToldOnceHoweverOftenItChangesWhatIsWaitedFor() throws Exception {
        Pair pair = open();
        pair.channel.config().setAutoRead(true);
        pair.send("x");
        assertThat(pair.take()).isEqualTo("x");
        pair.inLoop(epoll::forget);
        for (int i = 0; i < 10; i++) {
            pair.inLoop(() -> pair.channel.config().setAutoRead(false));
            pair.send("y");
            pair.inLoop(() -> pair.channel.config().setAutoRead(true));
            assertThat(pair.take()).isEqualTo("y");
        }
        assertThat(epoll.told()).isEmpty();
        pair.close();
    }

    @Test
    void bytesThatAreLeftWhenReadingIsStoppedAreReadWhenItGoesOnInTheSameTurn() throws Exception {
        Pair pair = open();
        pair.channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(4));
        pair.channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                ctx.channel().config().setAutoRead(false);
                ctx.fireChannelRead(message);
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext ctx) {
                ctx.channel().config().setAutoRead(true);
            }
        });
        pair.send("what is left");
        pair.channel.config().setAutoRead(true);
        assertThat(pair.take() + pair.take() + pair.take()).isEqualTo("what is left");
        pair.close();
    }

    @Test
    void bytesAreReadOneBufferAfterTheOtherAsTheyAreAskedFor() throws Exception {
        Pair pair = open();
        pair.channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(4));
        pair.send("one by one..");
        for (String next : List.of("one ", "by o", "ne..")) {
            pair.inLoop(pair.channel::read);
            assertThat(pair.take()).isEqualTo(next);
            pair.inLoop(() -> {});
            assertThat(pair.received).isEmpty();
        }
        pair.close();
    }

    @Test
    void aSocketWithMoreThanATurnReadsDoesNotKeepOthersWaiting() throws Exception {
        Pair busy = open();
        busy.channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(1).maxMessagesPerRead(1));
        Pair other = open();
        other.channel.config().setAutoRead(true);
        busy.send("x".repeat(10_000));
        CompletableFuture<Integer> readBefore = new CompletableFuture<>();
        // On the loop: what is added from elsewhere may come after the first message.
        other.inLoop(() -> other.channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                readBefore.complete(busy.received.size());
                ctx.fireChannelRead(message);
            }
        }));
        other.send("heard");
        busy.channel.config().setAutoRead(true);
        assertThat(other.take()).isEqualTo("heard");
        assertThat(readBefore.get()).isLessThan(10_000);
        for (int i = 0; i < 10_000; i++) {
            assertThat(busy.take()).isEqualTo("x");
        }
        busy.close();
        other.close();
    }

    @Test
    void bytesThatCameBeforeTheyAreAskedForAreReadWhenTheyAre() throws Exception {
        Pair pair = open();
        pair.send("early");
        pair.inLoop(() -> pair.channel.read());
        assertThat(pair.take()).isEqualTo("early");
        pair.close();
    }

    @Test
    void aSocketThatIsClosedInTheTurnInWhichItChangesTellsNothingOfItsSuccessorsNumber() throws Exception {
        Pair first = open();
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        CompletableFuture<EdgeSocket> successor = new CompletableFuture<>();
        int number = first.channel.fd().intValue();
        first.inLoop(() -> {
            first.channel.read();
            first.channel.close();
            // The kernel gives the lowest number that is free; others may have taken it.
            EdgeSocket next = (EdgeSocket) bootstrap(received).connect().channel();
            next.read();
            successor.complete(next);
        });
        EdgeSocket next = successor.get();
        Pair second = new Pair(next, server.accept(), received);
        second.send("mine");
        second.inLoop(next::read);
        assertThat(second.take()).isEqualTo("mine");
        assumeTrue(next.fd().intValue() == number, "another thread took the number");
        second.close();
        first.peer.close();
    }

    @Test
    void manySocketsThatComeAndGoInOneTurnAllGetWhatIsTheirs() throws Exception {
        for (int round = 0; round < 100; round++) {
            Pair leaving = open();
            Pair staying = open();
            BlockingQueue<String> received = new LinkedBlockingQueue<>();
            CompletableFuture<EdgeSocket> coming = new CompletableFuture<>();
            // Both have something to be read in one turn, and the first to be read closes the other and opens a third.
            leaving.send("bye");
            staying.send("a");
            staying.inLoop(() -> {
                staying.channel.config().setAutoRead(true);
                leaving.channel.read();
                leaving.channel.close();
                EdgeSocket third = (EdgeSocket) bootstrap(received).connect().channel();
                third.config().setAutoRead(true);
                coming.complete(third);
            });
            Pair third = new Pair(coming.get(), server.accept(), received);
            third.send("c");
            assertThat(staying.take()).isEqualTo("a");
            assertThat(third.take()).isEqualTo("c");
            staying.close();
            third.close();
            leaving.peer.close();
        }
    }

    @Test
    void aTurnThatFailsLosesNothing() throws Exception {
        Pair failing = open();
        Pair other = open();
        failing.channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                ((ByteBuf) message).release();
                other.channel.config().setAutoRead(true);
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                ctx.close();
            }
        });
        other.send("still here");
        failing.send("x");
        failing.channel.read();
        assertThat(other.take()).isEqualTo("still here");
        failing.close();
        other.close();
    }

    /** A read ends before urgent data, and the kernel does not report what follows it again. */
    @Test
    void bytesAfterUrgentOnesAreRead() throws Exception {
        Pair pair = open();
        pair.send("abc");
        pair.peer.sendUrgentData('!');
        pair.send("def");
        pair.channel.config().setAutoRead(true);
        StringBuilder all = new StringBuilder();
        while (all.length() < 6) {
            all.append(pair.take());
        }
        assertThat(all).hasToString("abcdef");
        pair.close();
    }

    @Test
    void aShortcutThatFailsEndsItsConnectionAndNoOther() throws Exception {
        Pair failing = open();
        Pair other = open();
        failing.send("x");
        failing.inLoop(() -> {
            failing.channel.give(() -> {
                throw new IllegalStateException("on purpose");
            });
            failing.channel.config().setAutoRead(true);
            other.channel.config().setAutoRead(true);
        });
        failing.channel.closeFuture().sync();
        other.send("still here");
        assertThat(other.take()).isEqualTo("still here");
        failing.peer.close();
        other.close();
    }

    @Test
    void aSocketThatTheKernelRefusesToWatchIsClosedAndNoOther() throws Exception {
        Pair other = open();
        CompletableFuture<Channel> refused = new CompletableFuture<>();
        other.inLoop(() -> {
            epoll.refuseNext();
            refused.complete(bootstrap(new LinkedBlockingQueue<>()).connect().channel());
        });
        refused.get().closeFuture().sync();
        other.send("x");
        other.channel.config().setAutoRead(true);
        assertThat(other.take()).isEqualTo("x");
        other.close();
    }

    @Test
    void aLongAnswerToAClientThatHasEndedItsOutputIsWrittenToItsEnd() throws Exception {
        Pair pair = open();
        pair.channel.config().setAutoRead(true);
        pair.peer.shutdownOutput();
        assertThat(pair.take()).isEqualTo("end");
        pair.inLoop(() -> {});
        var written = pair.channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[LONG_ANSWER]));
        assertThat(pair.peer.getInputStream().readNBytes(LONG_ANSWER)).hasSize(LONG_ANSWER);
        assertThat(written.syncUninterruptibly().isSuccess()).isTrue();
        pair.close();
    }

    @Test
    void anErrorOnASocketThatWaitsForNothingIsTold() throws Exception {
        Pair pair = open();
        pair.inLoop(() -> {});
        pair.peer.setSoLinger(true, 0);
        pair.peer.close();
        assertThat(pair.take()).isEqualTo("error");
        pair.close();
    }
}
