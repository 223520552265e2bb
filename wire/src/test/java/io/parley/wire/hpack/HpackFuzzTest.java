package io.parley.wire.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.util.Arrays;

/** No bytes make the decoder throw anything but its own exception; what it reads, the encoder writes so that it reads the same again. */
class HpackFuzzTest {
    private static final int TABLE = 256;
    private static final int MOST_FIELDS = 1_000;

    /** Two blocks of one connection, so that the second one meets a table; the first octet says where it begins. */
    @FuzzTest
    void fuzz(byte[] bytes) throws HpackException {
        if (bytes.length == 0) {
            return;
        }
        int split = Math.min(bytes.length, 1 + (bytes[0] & 0xff));
        Fields first = new Fields();
        Fields second = new Fields();
        HpackDecoder decoder = new HpackDecoder(TABLE);
        try {
            decoder.decode(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, 1, split)), field -> add(first, field));
            decoder.decode(Unpooled.wrappedBuffer(bytes, split, bytes.length - split), field -> add(second, field));
        } catch (HpackException refused) {
            assertThat(refused).hasMessageContaining(" ");
        }
        assertThat(decoder.table().size()).isBetween(0, TABLE);
        assertSurvives(first, second);
    }

    private static void add(Fields fields, Field field) {
        if (fields.size() < MOST_FIELDS) {
            fields.add(field);
        }
    }

    private static void assertSurvives(Fields... heads) throws HpackException {
        HpackEncoder encoder = new HpackEncoder();
        HpackDecoder decoder = new HpackDecoder(TABLE);
        encoder.maxTableSize(TABLE);
        for (Fields head : heads) {
            ByteBuf block = Unpooled.buffer();
            encoder.encode(head, block);
            Fields again = new Fields();
            decoder.decode(block, again::add);
            assertThat(Blocks.texts(again)).isEqualTo(Blocks.texts(head));
        }
    }
}
