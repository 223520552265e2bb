package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.parley.proxy.http.HttpLimits;
import io.parley.wire.http.Octets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A head that comes byte by byte costs its length, not the square of it (attack 7). */
class TricklingHeadTest {
    /** A buffer that counts the bytes that are read out of it. */
    private static final class Counting extends UnpooledHeapByteBuf {
        private long read;

        Counting(int capacity) {
            super(UnpooledByteBufAllocator.DEFAULT, capacity, capacity);
        }

        @Override
        public byte getByte(int index) {
            read++;
            return super.getByte(index);
        }

        @Override
        public ByteBuf getBytes(int index, byte[] to, int at, int length) {
            read += length;
            return super.getBytes(index, to, at, length);
        }
    }

    private static byte[] request(int length) {
        String start = "GET / HTTP/1.1\r\nHost: x\r\n";
        StringBuilder head = new StringBuilder(start);
        while (head.length() < length - 1_000) {
            head.append("X-Slow: ").append("a".repeat(700)).append("\r\n");
        }
        String last = "X-Last: ";
        head.append(last).append("b".repeat(length - head.length() - 4));
        return head.append("\r\n\r\n").toString().getBytes(ISO_8859_1);
    }

    @Test
    void isLookedAtOnce() {
        int length = HttpLimits.DEFAULT.head() - 1;
        byte[] bytes = request(length);
        RequestHead head = new RequestHead(HttpLimits.DEFAULT);
        Counting in = new Counting(length);
        for (int seen = 0; seen < length - 1; seen++) {
            in.writeByte(bytes[seen]);
            assertThat(head.scan(in, seen)).isZero();
            // The memory is for others in between. Whoever looks at what is there of this head finds that it has a
            // flaw.
            Arrays.fill(head.bytes, Math.max(0, seen - 8), seen + 1, Octets.LF);
        }
        in.writeByte(bytes[length - 1]);
        assertThat(head.scan(in, length - 1)).isEqualTo(length);
        assertThat(head.field("x-last")).startsWith("bbb").endsWith("bbb");
        assertThat(head.target()).isEqualTo("/");
        // Each byte and two before it, and then all for good.
        assertThat(in.read).isLessThanOrEqualTo(4L * length);
        in.release();
    }
}
