package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.frame;
import static io.parley.proxy.http2.FramePeer.number;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.parley.wire.http.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client's frames do to a connection, beyond what h2spec asks. */
class IntakeTest {
    /** {@code GET / http a}, from the static table of HPACK. */
    private static final byte[] REQUEST = {(byte) 0x82, (byte) 0x84, (byte) 0x86, 0x01, 0x01, 'a'};

    private final TestOwner owner = new TestOwner(true);
    private final Http2Link link = new Http2Link(owner, new FrameBudget(() -> 0));
    private final EmbeddedChannel channel = new EmbeddedChannel(link);

    @BeforeEach
    void greet() {
        receive("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        receive(frame(Wire.SETTINGS, 0, 0));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    /** Otherwise cancelled uploads would use up what all streams of the connection share. */
    @Test
    void whatAStreamHeldWhenItEndedMayBeSentAnew() {
        owner.keeping = true;
        int piece = 15_000;
        for (int id = 1; id < 200; id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS, id, REQUEST));
            for (int i = 0; i < 4; i++) {
                receive(frame(Wire.DATA, 0, id, new byte[piece]));
            }
            receive(frame(Wire.RST_STREAM, 0, id, number(8)));
        }
        assertThat(owner.offences).isEmpty();
        assertThat(owner.begun).hasSize(100).allMatch(stream -> stream.content.length() == 4 * piece);
    }

    @Test
    void whatStreamsOfASharedConnectionKeepHoldsUpNobodyElse() {
        owner.keeping = true;
        owner.shared = true;
        int piece = 15_000;
        for (int id = 1; id < 2 * owner.maxStreams(); id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS, id, REQUEST));
            for (int i = 0; i < 4; i++) {
                receive(frame(Wire.DATA, 0, id, new byte[piece]));
            }
        }
        assertThat(owner.offences).isEmpty();
        assertThat(owner.begun)
                .hasSize(owner.maxStreams())
                .allMatch(stream -> stream.content.length() == 4 * piece && !stream.isResetSent());
    }

    /** What one client has sent and nobody takes is kept for it: there is a limit to that. */
    @Test
    void whatStreamsOfOneClientKeepCountsForAllOfThem() {
        owner.keeping = true;
        for (int id = 1; channel.isOpen(); id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS, id, REQUEST));
            for (int i = 0; i < 4 && channel.isOpen(); i++) {
                receive(frame(Wire.DATA, 0, id, new byte[15_000]));
            }
        }
        assertThat(owner.offences).containsExactly("flow-control-error");
        assertThat(owner.begun).hasSizeLessThan(20);
    }

    @Test
    void moreThanAStreamHasRoomForResetsIt() {
        owner.keeping = true;
        receive(frame(Wire.HEADERS, Wire.END_HEADERS, 1, REQUEST));
        for (int i = 0; i < 5; i++) {
            receive(frame(Wire.DATA, 0, 1, new byte[15_000]));
        }
        assertThat(owner.begun.getFirst().content).hasSize(60_000);
        assertThat(owner.begun.getFirst().isResetSent()).isTrue();
        assertThat(owner.offences).isEmpty();
    }

    /** TestOwner takes heads of 1 KiB. */
    private static byte[] largeHead(int id) {
        // A field x with a value of 1,300 bytes, whose length takes three bytes.
        byte[] field = {0, 1, 'x', 0x7f, (byte) 0x95, 0x09};
        byte[] block = Arrays.copyOf(REQUEST, REQUEST.length + field.length + 1_300);
        System.arraycopy(field, 0, block, REQUEST.length, field.length);
        Arrays.fill(block, REQUEST.length + field.length, block.length, (byte) 'y');
        return frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, id, block);
    }

    @Test
    void aHeadThatIsTooLargeIsAnsweredOnlyWhereAnotherWouldBe() {
        link.goAway(1);
        channel.runPendingTasks();
        channel.releaseOutbound();
        receive(largeHead(3));
        channel.runPendingTasks();
        assertThat(owner.offences).containsExactly("head-too-large");
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
    }

    /** One that fails at hearing of its end must not keep the others from it. */
    @Test
    void allStreamsHearOfTheEndOfTheirConnection() {
        for (int id = 1; id <= 5; id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS, id, REQUEST));
        }
        owner.begun.forEach(stream -> stream.fails = true);
        channel.close();
        assertThat(owner.begun).hasSize(3).allMatch(stream -> stream.gone);
    }

    @Test
    void nothingIsLookedAtAfterTheFaultThatEndsTheConnection() {
        ByteBuf both = Unpooled.copiedBuffer(
                frame(Wire.WINDOW_UPDATE, 0, 0, number(0)), frame(Wire.HEADERS, Wire.END_HEADERS, 1, REQUEST));
        channel.writeInbound(both);
        assertThat(owner.offences).containsExactly("protocol-error");
        assertThat(owner.begun).isEmpty();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void paddingDoesNotHideThatAFrameIsEmpty() {
        receive(frame(Wire.HEADERS, Wire.END_HEADERS, 1, REQUEST));
        receive(frame(Wire.DATA, Wire.PADDED, 1, new byte[] {0}));
        assertThat(owner.offences).isEmpty();
        receive(frame(Wire.DATA, Wire.PADDED, 1, new byte[] {1, 0}));
        assertThat(owner.offences).containsExactly("empty-data-flood");
    }

    /** Else answers without content, which need no window, could be made without end for a client that reads none. */
    @Test
    void aStreamCountsUntilItsEndHasLeft() {
        Held held = new Held();
        channel.pipeline().addFirst(held);
        Fields answer = new Fields().add(Fields.STATUS, AsciiString.cached("204"));
        for (int id = 1; id < 2 * owner.maxStreams(); id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, id, REQUEST));
            link.send(owner.begun.getLast(), answer, true);
        }
        assertThat(link.streams().count()).isZero();
        receive(frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, 2 * owner.maxStreams() + 1, REQUEST));
        assertThat(owner.begun).hasSize(owner.maxStreams());
        held.left();
        assertThat(link.busyStreams()).isZero();
        receive(frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, 2 * owner.maxStreams() + 3, REQUEST));
        assertThat(owner.begun).hasSize(owner.maxStreams() + 1);
        held.left();
    }

    /** Keeps what is written, as a socket does whose peer reads nothing. */
    private static final class Held extends ChannelOutboundHandlerAdapter {
        private final List<ChannelPromise> waiting = new ArrayList<>();

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            waiting.add(promise);
        }

        void left() {
            waiting.forEach(ChannelPromise::setSuccess);
            waiting.clear();
        }
    }

    @Test
    void whatComesAfterTheLastStreamThatWasNamedIsPassedOver() {
        receive(frame(Wire.HEADERS, Wire.END_HEADERS, 1, REQUEST));
        link.goAway(1);
        link.goAway(Integer.MAX_VALUE);
        assertThat(link.named()).isEqualTo(1);
        for (int id = 3; id < 1_000; id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS, id, REQUEST));
            receive(frame(Wire.DATA, Wire.END_STREAM, id, (byte) 'x'));
        }
        assertThat(owner.begun).hasSize(1);
        assertThat(owner.offences).isEmpty();
    }

    @Test
    void usualEndsDoNotMakeForgetWhatWasReset() {
        receive(frame(Wire.HEADERS, Wire.END_HEADERS, 1, REQUEST));
        link.reset(owner.begun.getFirst(), ErrorCode.CANCEL);
        for (int id = 3; id < 1_000; id += 2) {
            receive(frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, id, REQUEST));
            link.send(owner.begun.getLast(), new Fields().add(Fields.STATUS, AsciiString.cached("204")), true);
            channel.runPendingTasks();
        }
        receive(frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, 1, REQUEST));
        assertThat(owner.offences).isEmpty();
    }

    private void receive(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
    }
}
