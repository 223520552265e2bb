package io.parley.wire.header;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** No bytes make the header codec throw; what it reads, it writes so that it reads the same again. */
class ConnectionHeaderFuzzTest {
    @FuzzTest
    void fuzz(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        switch (ConnectionHeaderCodec.read(in)) {
            case HeaderRead.Found(var header, var length) -> {
                assertThat(length).isLessThanOrEqualTo(bytes.length);
                ByteBuf again = Unpooled.buffer();
                ConnectionHeaderCodec.write(header, again);
                assertThat(ConnectionHeaderCodec.read(again))
                        .isEqualTo(new HeaderRead.Found(header, again.readableBytes()));
            }
            case HeaderRead.NeedMore(var atLeast) -> assertThat(atLeast).isGreaterThan(bytes.length);
            case HeaderRead.Absent() -> {}
            case HeaderRead.Malformed _ -> {}
        }
    }
}
