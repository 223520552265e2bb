package io.parley.wire.detect;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * More bytes change a verdict in two ways only: what was undecided becomes anything, and what looked like HTTP may turn out to be none, since that is decided
 * before the first line has ended. One protocol never becomes another, what is opaque stays so, and nothing becomes undecided again: that is what makes it safe
 * to decide early.
 */
class ProtocolDetectorFuzzTest {
    @FuzzTest
    void fuzz(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        for (ProtocolDetector.Layer layer : ProtocolDetector.Layer.values()) {
            Detection whole = ProtocolDetector.detect(in, layer);
            Detection half = ProtocolDetector.detect(in.slice(0, bytes.length / 2), layer);
            switch (half) {
                case Detection.NeedMore _ -> {}
                case Detection.Http1 _, Detection.Http2 _ ->
                    assertThat(whole).isInstanceOfAny(half.getClass(), Detection.Opaque.class);
                case Detection.Tls _, Detection.Header _, Detection.BadHeader _, Detection.Opaque _ ->
                    assertThat(whole).isInstanceOf(half.getClass());
            }
            if (whole instanceof Detection.NeedMore(int atLeast)) {
                assertThat(atLeast).isGreaterThan(bytes.length);
            }
        }
    }
}
