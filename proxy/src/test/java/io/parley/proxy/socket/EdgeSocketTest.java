package io.parley.proxy.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.parley.proxy.socket.SocketPairs.Pair;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever becomes of what sockets wait for, and whenever: the kernel knows of it before the loop waits, and of no more than that. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EdgeSocketTest {
    @SuppressWarnings("NullAway.Init")
    private SocketPairs pairs;

    @BeforeEach
    void start() throws IOException {
        pairs = new SocketPairs();
    }

    @AfterEach
    void stop() throws IOException {
        if (pairs != null) {
            pairs.close();
        }
    }

    @Test
    void whatIsChangedFromAnotherThreadWhileTheLoopWaitsIsTold() throws Exception {
        Pair pair = pairs.open();
        for (int i = 0; i < 500; i++) {
            pair.channel().config().setAutoRead(i % 2 == 0);
            pair.send("x");
            pair.channel().config().setAutoRead(true);
            assertThat(pair.take()).isEqualTo("x");
        }
        pair.close();
    }

    @Test
    void theKernelIsToldOnceHoweverOftenItChangesWhatIsWaitedFor() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setAutoRead(true);
        pair.send("x");
        assertThat(pair.take()).isEqualTo("x");
        pair.inLoop(pairs.epoll()::forget);
        for (int i = 0; i < 10; i++) {
            pair.inLoop(() -> pair.channel().config().setAutoRead(false));
            pair.send("y");
            pair.inLoop(() -> pair.channel().config().setAutoRead(true));
            assertThat(pair.take()).isEqualTo("y");
        }
        assertThat(pairs.epoll().told()).isEmpty();
        pair.close();
    }

    @Test
    void bytesThatAreLeftWhenReadingIsStoppedAreReadWhenItGoesOnInTheSameTurn() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(4));
        pair.channel().pipeline().addFirst(new ChannelInboundHandlerAdapter() {
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
        pair.channel().config().setAutoRead(true);
        assertThat(pair.take() + pair.take() + pair.take()).isEqualTo("what is left");
        pair.close();
    }

    @Test
    void bytesAreReadOneBufferAfterTheOtherAsTheyAreAskedFor() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(4));
        pair.send("one by one..");
        for (String next : List.of("one ", "by o", "ne..")) {
            pair.inLoop(pair.channel()::read);
            assertThat(pair.take()).isEqualTo(next);
            pair.inLoop(() -> {});
            assertThat(pair.received()).isEmpty();
        }
        pair.close();
    }

    @Test
    void aSocketWithMoreThanATurnReadsDoesNotKeepOthersWaiting() throws Exception {
        Pair busy = pairs.open();
        busy.channel().config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(1).maxMessagesPerRead(1));
        Pair other = pairs.open();
        other.channel().config().setAutoRead(true);
        busy.send("x".repeat(10_000));
        CompletableFuture<Integer> readBefore = new CompletableFuture<>();
        // On the loop: what is added from elsewhere may come after the first message.
        other.inLoop(() -> other.channel().pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                readBefore.complete(busy.received().size());
                ctx.fireChannelRead(message);
            }
        }));
        other.send("heard");
        busy.channel().config().setAutoRead(true);
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
        Pair pair = pairs.open();
        pair.send("early");
        pair.inLoop(() -> pair.channel().read());
        assertThat(pair.take()).isEqualTo("early");
        pair.close();
    }

    @Test
    void aSocketThatIsClosedInTheTurnInWhichItChangesTellsNothingOfItsSuccessorsNumber() throws Exception {
        Pair first = pairs.open();
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        CompletableFuture<EdgeSocket> successor = new CompletableFuture<>();
        int number = first.channel().fd().intValue();
        first.inLoop(() -> {
            first.channel().read();
            first.channel().close();
            // The kernel gives the lowest number that is free; others may have taken it.
            EdgeSocket next = (EdgeSocket) pairs.bootstrap(received).connect().channel();
            next.read();
            successor.complete(next);
        });
        EdgeSocket next = successor.get();
        Pair second = new Pair(next, pairs.accept(), received);
        second.send("mine");
        second.inLoop(next::read);
        assertThat(second.take()).isEqualTo("mine");
        assumeTrue(next.fd().intValue() == number, "another thread took the number");
        second.close();
        first.peer().close();
    }

    @Test
    void manySocketsThatComeAndGoInOneTurnAllGetWhatIsTheirs() throws Exception {
        for (int round = 0; round < 100; round++) {
            Pair leaving = pairs.open();
            Pair staying = pairs.open();
            BlockingQueue<String> received = new LinkedBlockingQueue<>();
            CompletableFuture<EdgeSocket> coming = new CompletableFuture<>();
            // Both have something to be read in one turn, and the first to be read closes the other and opens a third.
            leaving.send("bye");
            staying.send("a");
            staying.inLoop(() -> {
                staying.channel().config().setAutoRead(true);
                leaving.channel().read();
                leaving.channel().close();
                EdgeSocket third =
                        (EdgeSocket) pairs.bootstrap(received).connect().channel();
                third.config().setAutoRead(true);
                coming.complete(third);
            });
            Pair third = new Pair(coming.get(), pairs.accept(), received);
            third.send("c");
            assertThat(staying.take()).isEqualTo("a");
            assertThat(third.take()).isEqualTo("c");
            staying.close();
            third.close();
            leaving.peer().close();
        }
    }

    @Test
    void aTurnThatFailsLosesNothing() throws Exception {
        Pair failing = pairs.open();
        Pair other = pairs.open();
        failing.channel().pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                ((ByteBuf) message).release();
                other.channel().config().setAutoRead(true);
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                ctx.close();
            }
        });
        other.send("still here");
        failing.send("x");
        failing.channel().read();
        assertThat(other.take()).isEqualTo("still here");
        failing.close();
        other.close();
    }

    /** A read ends before urgent data, and the kernel does not report what follows it again. */
    @Test
    void bytesAfterUrgentOnesAreRead() throws Exception {
        Pair pair = pairs.open();
        pair.send("abc");
        pair.peer().sendUrgentData('!');
        pair.send("def");
        pair.channel().config().setAutoRead(true);
        StringBuilder all = new StringBuilder();
        while (all.length() < 6) {
            all.append(pair.take());
        }
        assertThat(all).hasToString("abcdef");
        pair.close();
    }

    @Test
    void aShortcutThatFailsEndsItsConnectionAndNoOther() throws Exception {
        Pair failing = pairs.open();
        Pair other = pairs.open();
        failing.send("x");
        failing.inLoop(() -> {
            failing.channel().give(() -> {
                throw new IllegalStateException("on purpose");
            });
            failing.channel().config().setAutoRead(true);
            other.channel().config().setAutoRead(true);
        });
        failing.channel().closeFuture().sync();
        other.send("still here");
        assertThat(other.take()).isEqualTo("still here");
        failing.peer().close();
        other.close();
    }

    @Test
    void aSocketThatTheKernelRefusesToWatchIsClosedAndNoOther() throws Exception {
        Pair other = pairs.open();
        CompletableFuture<Channel> refused = new CompletableFuture<>();
        other.inLoop(() -> {
            pairs.epoll().refuseNext();
            refused.complete(
                    pairs.bootstrap(new LinkedBlockingQueue<>()).connect().channel());
        });
        refused.get().closeFuture().sync();
        other.send("x");
        other.channel().config().setAutoRead(true);
        assertThat(other.take()).isEqualTo("x");
        other.close();
    }
}
