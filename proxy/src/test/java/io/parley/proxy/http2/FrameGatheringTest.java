package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameGatheringTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameGathering());

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void smallFramesLeaveTogetherAndTheirWritersAreTold() {
        ChannelFuture first = channel.write(bytes("ab"));
        ChannelFuture second = channel.write(bytes("cd"));
        assertThat(first.isDone()).isFalse();

        channel.flush();

        assertThat(next()).isEqualTo("abcd");
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
        assertThat(first.isSuccess()).isTrue();
        assertThat(second.isSuccess()).isTrue();
    }

    @Test
    void aLargeFrameIsNotCopiedAndKeepsItsPlace() {
        ByteBuf large = Unpooled.directBuffer().writeZero(2_000);
        channel.write(bytes("ab"));
        channel.write(large);
        channel.write(bytes("cd"));

        channel.flush();

        assertThat(next()).isEqualTo("ab");
        assertThat(channel.<ByteBuf>readOutbound()).isSameAs(large);
        large.release();
        assertThat(next()).isEqualTo("cd");
    }

    @Test
    void moreThanABufferHoldsIsSpreadOverSeveral() {
        for (int i = 0; i < 20; i++) {
            channel.write(Unpooled.directBuffer().writeZero(1_000));
        }

        channel.flush();

        int total = 0;
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            total += part.readableBytes();
            part.release();
        }
        assertThat(total).isEqualTo(20_000);
    }

    @Test
    void writersOfWhatWasNotFlushedAreToldThatItIsLost() {
        ChannelFuture written = channel.write(bytes("ab"));

        channel.close();

        assertThat(written.isDone()).isTrue();
        assertThat(written.isSuccess()).isFalse();
    }

    @Test
    void nothingIsKeptForAChannelThatIsClosed() {
        EmbeddedChannel closed = new EmbeddedChannel();
        closed.close();
        closed.pipeline().addLast(new FrameGathering());
        ByteBuf late = bytes("ab");

        ChannelFuture written = closed.write(late);

        assertThat(written.isDone()).isTrue();
        assertThat(written.isSuccess()).isFalse();
        assertThat(late.refCnt()).isZero();
    }

    /** The connection is found broken when a full buffer is passed on, and whoever hears of it says farewell in two frames. */
    @Test
    void whatIsWrittenOnHearingOfALossIsPassedOnToo() {
        Breaking breaking = new Breaking();
        EmbeddedChannel broken = new EmbeddedChannel(breaking, new FrameGathering());
        broken.write(bytes("ab")).addListener(_ -> {
            broken.write(bytes("cd"));
            broken.write(bytes("ef"));
        });
        for (int i = 0; i < 9; i++) {
            broken.write(Unpooled.directBuffer().writeZero(1_000));
        }

        broken.flush();

        assertThat(breaking.passed).isEqualTo(9_006);
        broken.finishAndReleaseAll();
    }

    /** Takes nothing, and says so at once. */
    private static final class Breaking extends ChannelOutboundHandlerAdapter {
        private int passed;

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            passed += ((ByteBuf) message).readableBytes();
            ReferenceCountUtil.release(message);
            promise.setFailure(new ClosedChannelException());
        }
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private String next() {
        ByteBuf bytes = channel.readOutbound();
        String text = bytes.toString(StandardCharsets.US_ASCII);
        bytes.release();
        return text;
    }
}
