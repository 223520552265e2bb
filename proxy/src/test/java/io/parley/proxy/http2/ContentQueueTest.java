package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class ContentQueueTest {
    private final ContentQueue queue = new ContentQueue();

    private static ByteBuf piece(int bytes, int value) {
        ByteBuf piece = Unpooled.buffer(bytes);
        for (int i = 0; i < bytes; i++) {
            piece.writeByte(value);
        }
        return piece;
    }

    @Test
    void smallPiecesKeepNothingAliveButTheirBytes() {
        for (int i = 0; i < 20_000; i++) {
            ByteBuf piece = piece(1, i);
            queue.add(piece);
            assertThat(piece.refCnt()).isZero();
        }
        int at = 0;
        int buffers = 0;
        while (!queue.isEmpty()) {
            ByteBuf next = queue.remove();
            buffers++;
            while (next.isReadable()) {
                assertThat(next.readByte()).isEqualTo((byte) at++);
            }
            next.release();
        }
        assertThat(at).isEqualTo(20_000);
        assertThat(buffers).isLessThan(5);
    }

    @Test
    void largePiecesAreNotCopiedAndKeepTheirPlace() {
        ByteBuf large = piece(2_000, 2);
        queue.add(piece(1, 1));
        queue.add(large);
        queue.add(piece(1, 3));
        ByteBuf first = queue.remove();
        assertThat(first.readByte()).isEqualTo((byte) 1);
        first.release();
        assertThat(queue.remove()).isSameAs(large);
        large.release();
        // What was taken is not added to.
        queue.add(piece(1, 4));
        assertThat(queue.first()).isNotNull();
        ByteBuf last = queue.remove();
        assertThat(last.readableBytes()).isEqualTo(2);
        last.release();
    }

    @Test
    void whatWaitsIsGivenBack() {
        ByteBuf large = piece(2_000, 2);
        queue.add(large);
        queue.add(piece(1, 1));
        queue.release();
        assertThat(large.refCnt()).isZero();
        assertThat(queue.isEmpty()).isTrue();
    }
}
