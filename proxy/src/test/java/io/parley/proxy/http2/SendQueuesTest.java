package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.frame;
import static io.parley.proxy.http2.FramePeer.number;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AsciiString;
import io.parley.proxy.http2.TestOwner.TestStream;
import io.parley.wire.http.Fields;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent of what there is to send, and when. */
class SendQueuesTest {
    private static final int WINDOW = Wire.USUAL_WINDOW;

    private final TestOwner owner = new TestOwner(false);
    private final Http2Link link = new Http2Link(owner, new FrameBudget(() -> 0));
    private final EmbeddedChannel channel = new EmbeddedChannel(link);

    @BeforeEach
    void settle() {
        receive(frame(Wire.SETTINGS, 0, 0));
        frames();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void smallFramesLeaveInOneBufferAndLargeContentIsNotCopied() {
        TestStream stream = open();
        ByteBuf large = Unpooled.directBuffer().writeZero(2_000);
        link.send(stream, content(10), false);
        link.send(stream, large, true);
        link.flushSoon();
        channel.runPendingTasks();
        ByteBuf before = channel.readOutbound();
        assertThat(before.readableBytes()).isEqualTo(Wire.FRAME_HEADER + 10 + Wire.FRAME_HEADER);
        before.release();
        assertThat(channel.<ByteBuf>readOutbound()).isSameAs(large);
        large.release();
    }

    @Test
    void nothingLeavesBeforeItIsFlushed() {
        link.send(open(), content(10), true);
        channel.runPendingTasks();
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
        assertThat(frames()).containsExactly("data 1 10 end");
    }

    @Test
    void sendsInFramesThatThePeerTakes() {
        link.send(open(), content(40_000), true);
        assertThat(frames()).containsExactly("data 1 16384", "data 1 16384", "data 1 7232 end");
    }

    @Test
    void whatTheStreamHasNoWindowForWaits() {
        TestStream stream = open();
        link.send(stream, content(WINDOW - 5), false);
        assertThat(link.queues().isWritable(stream)).isTrue();
        link.send(stream, content(10), true);
        frames();
        assertThat(link.queues().isWritable(stream)).isFalse();
        receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(100)));
        assertThat(frames()).isEmpty();
        receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(3)));
        assertThat(frames()).containsExactly("data 1 3");
        receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(100)));
        assertThat(frames()).containsExactly("data 1 2 end");
    }

    @Test
    void whoWasToldThatThereIsNoRoomIsToldWhenThereIs() {
        TestStream stream = open();
        link.send(stream, content(WINDOW), false);
        assertThat(link.queues().isWritable(stream)).isFalse();
        receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(1)));
        assertThat(stream.toldWritable).isZero();
        receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(1)));
        assertThat(stream.toldWritable).isEqualTo(1);
        receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(1)));
        assertThat(stream.toldWritable).isEqualTo(1);
    }

    @Test
    void streamsThatWaitForTheConnectionTakeTurns() {
        TestStream first = open();
        TestStream second = open();
        TestStream third = open();
        link.send(first, content(WINDOW), true);
        link.send(second, content(40_000), true);
        link.send(third, content(20_000), true);
        frames();
        receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(100_000)));
        assertThat(frames())
                .containsExactly("data 3 16384", "data 5 16384", "data 3 16384", "data 5 3616 end", "data 3 7232 end");
    }

    @Test
    void trailersComeAfterContentThatWaits() {
        TestStream stream = open();
        link.send(stream, content(WINDOW + 1), false);
        link.send(stream, new Fields().add(AsciiString.cached("x-sum"), AsciiString.cached("7")), true);
        frames();
        receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(1)));
        receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(1)));
        assertThat(frames()).containsExactly("data 1 1", "headers 1 end");
        assertThat(stream.isLocalEnded()).isTrue();
    }

    /** RFC 9113 6.9.2. */
    @Test
    void aSmallerWindowForAllStreamsMayBeLessThanNothing() {
        TestStream stream = open();
        link.send(stream, content(100), false);
        receive(frame(Wire.SETTINGS, 0, 0, new byte[] {0, Wire.INITIAL_WINDOW_SIZE, 0, 0, 0, 50}));
        assertThat(stream.window()).isEqualTo(-50);
        link.send(stream, content(10), true);
        frames();
        receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(50)));
        assertThat(frames()).isEmpty();
        receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(10)));
        assertThat(frames()).containsExactly("data 1 10 end");
    }

    @Test
    void whatWaitsInAStreamThatEndsIsDropped() {
        TestStream stream = open();
        ByteBuf waits = content(WINDOW + 1);
        link.send(stream, waits, false);
        receive(frame(Wire.RST_STREAM, 0, 1, number(8)));
        frames();
        assertThat(waits.refCnt()).isZero();
        assertThat(stream.gone).isTrue();
        ByteBuf late = content(1);
        link.send(stream, late, true);
        assertThat(late.refCnt()).isZero();
    }

    /** Else a client could have them pile up, each with its request, behind one whose answer it does not read. */
    @Test
    void streamsThatHaveEndedDoNotWaitForTheirTurn() {
        TestStream first = open();
        link.send(first, content(WINDOW + 1), true);
        TestStream second = open();
        link.send(second, content(10), true);
        assertThat(second.isInTurn()).isTrue();
        receive(frame(Wire.RST_STREAM, 0, second.id(), number(8)));
        channel.runPendingTasks();
        assertThat(second.isInTurn()).isFalse();
        assertThat(first.isInTurn()).isTrue();
    }

    /** As clients do whose programs read 4 KiB at a time. */
    @Test
    void aLargeDownloadWithSmallWindowsIsNoFlood() {
        TestStream stream = open();
        int update = 4 << 10;
        for (int i = 0; i < 100; i++) {
            link.send(stream, content(256 << 10), false);
            for (int sent = 0; sent < 256 << 10; sent += update) {
                receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(update)));
                receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(update)));
                frames();
            }
        }
        assertThat(stream.hasQueue()).isFalse();
        assertThat(owner.offences).isEmpty();
    }

    /** CVE-2019-9511. */
    @Test
    void contentThatIsTakenInCrumbsIsAFlood() {
        TestStream stream = open();
        receive(frame(Wire.WINDOW_UPDATE, 0, 0, number(WINDOW)));
        link.send(stream, content(2 * WINDOW), true);
        for (int i = 0; i < 1_000 && channel.isOpen(); i++) {
            receive(frame(Wire.WINDOW_UPDATE, 0, 1, number(10)));
            frames();
        }
        assertThat(owner.offences).containsExactly("window-update-flood");
    }

    @Test
    void nobodyHearsOfAnEndWhileStillAtWorkOnIt() {
        TestStream stream = open();
        link.reset(stream, ErrorCode.CANCEL);
        assertThat(stream.isOpen()).isFalse();
        assertThat(stream.gone).isFalse();
        channel.runPendingTasks();
        assertThat(stream.gone).isTrue();
    }

    private TestStream open() {
        TestStream stream = new TestStream();
        link.open(stream);
        return stream;
    }

    private static ByteBuf content(int bytes) {
        return Unpooled.directBuffer().writeZero(bytes);
    }

    private void receive(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
    }

    /** What has left since it was last asked, but for settings and windows. */
    private List<String> frames() {
        link.flushSoon();
        channel.runPendingTasks();
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        if (all.readableBytes() >= Wire.PREFACE_BYTES && all.getByte(0) == 'P') {
            assertThat(all.readCharSequence(Wire.PREFACE_BYTES, ISO_8859_1).toString())
                    .startsWith("PRI");
        }
        List<String> frames = new ArrayList<>();
        while (all.isReadable()) {
            int length = all.readUnsignedMedium();
            int type = all.readUnsignedByte();
            boolean last = (all.readByte() & Wire.END_STREAM) != 0;
            int stream = all.readInt();
            all.skipBytes(length);
            switch (type) {
                case Wire.DATA -> frames.add("data " + stream + " " + length + (last ? " end" : ""));
                case Wire.HEADERS -> frames.add("headers " + stream + (last ? " end" : ""));
                default -> {}
            }
        }
        all.release();
        return frames;
    }
}
