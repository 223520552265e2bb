package io.parley.proxy.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import org.junit.jupiter.api.Test;

/** What is kept of a request in case it must be sent again. */
class ReplayTest {
    private static final int MOST = 64 * 1_024;

    private final Replay replay = new Replay();
    private int made;

    private final AbstractByteBufAllocator counting = new AbstractByteBufAllocator(false) {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            made++;
            return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return newHeapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    };

    private void keep(String text, boolean last) {
        ByteBuf piece = new UnpooledHeapByteBuf(counting, text.length(), text.length());
        piece.writeCharSequence(text, ISO_8859_1);
        replay.keep(piece, last, true);
        piece.release();
    }

    private String kept() {
        ByteBuf bytes = replay.bytes();
        String text = bytes.toString(ISO_8859_1);
        bytes.release();
        return text;
    }

    @Test
    void manySmallPiecesAreNotCopiedAnewForEachOfThem() {
        for (int i = 1; i <= MOST; i++) {
            keep("x", i == MOST);
        }
        assertThat(replay.isComplete()).isTrue();
        assertThat(kept()).hasSize(MOST);
        assertThat(made).isEqualTo(1);
        replay.release();
    }

    @Test
    void moreThanIsWorthSendingTwiceIsNotKept() {
        keep("x".repeat(MOST), false);
        keep("x", true);
        assertThat(replay.isComplete()).isFalse();
        assertThat(kept()).isEmpty();
    }

    @Test
    void nothingIsKeptAnyMoreWhereOneServerAloneIsToHaveTheRest() {
        keep("head", false);
        replay.lose();
        keep("rest", true);
        assertThat(replay.isComplete()).isFalse();
        assertThat(kept()).isEmpty();
        replay.release();
        keep("next", true);
        assertThat(replay.isComplete()).isTrue();
        assertThat(kept()).isEqualTo("next");
        replay.release();
    }
}
