package io.parley.proxy.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.parley.proxy.socket.SocketPairs.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How sockets tell that the other side has ended, or failed, whoever wants to know. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndsTest {
    private static final int LONG_ANSWER = 16 << 20;

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
    void aLongAnswerToAClientThatHasEndedItsOutputIsWrittenToItsEnd() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setAutoRead(true);
        pair.peer().shutdownOutput();
        assertThat(pair.take()).isEqualTo("end");
        pair.inLoop(() -> {});
        var written = pair.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[LONG_ANSWER]));
        assertThat(pair.peer().getInputStream().readNBytes(LONG_ANSWER)).hasSize(LONG_ANSWER);
        assertThat(written.syncUninterruptibly().isSuccess()).isTrue();
        pair.close();
    }

    @Test
    void anErrorOnASocketThatWaitsForNothingIsTold() throws Exception {
        Pair pair = pairs.open();
        pair.inLoop(() -> {});
        pair.peer().setSoLinger(true, 0);
        pair.peer().close();
        assertThat(pair.take()).isEqualTo("error");
        pair.close();
    }

    @Test
    void anErrorBehindBytesThatNobodyWantsIsTold() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(4));
        pair.send("nobody reads");
        pair.inLoop(() -> {});
        pair.peer().setSoLinger(true, 0);
        pair.peer().close();
        String heard = pair.take();
        while (!"error".equals(heard)) {
            assertThat(heard).isNotNull();
            heard = pair.take();
        }
        pair.channel().closeFuture().sync();
        pair.close();
    }

    @Test
    void theEndBehindBytesThatNobodyWantsIsTold() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(4));
        pair.send("unwanted");
        pair.peer().shutdownOutput();
        assertThat(List.of(pair.take() + "", pair.take() + "", pair.take() + ""))
                .containsExactly("unwa", "nted", "end");
        pair.close();
    }

    @Test
    void anErrorAfterTheEndIsTold() throws Exception {
        Pair pair = pairs.open();
        pair.channel().config().setAutoRead(true);
        pair.peer().shutdownOutput();
        assertThat(pair.take()).isEqualTo("end");
        pair.peer().setSoLinger(true, 0);
        pair.peer().close();
        assertThat(pair.take()).isEqualTo("error");
        pair.channel().closeFuture().sync();
    }

    /** As a server's that refuses a large upload and closes: its answer is there, though nothing can be sent to it any more. */
    @Test
    void whatHasComeIsReadAlthoughAWriteFails() throws Exception {
        Pair pair = pairs.open();
        pair.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[10])).syncUninterruptibly();
        pair.inLoop(() -> {
            try {
                pair.send("refused");
                // With bytes unread, which makes it a reset.
                pair.peer().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            pair.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[10]));
        });
        assertThat(pair.take()).isEqualTo("refused");
        assertThat(pair.take()).isEqualTo("error");
        pair.channel().closeFuture().syncUninterruptibly();
        assertThat(pair.received()).isEmpty();
    }
}
