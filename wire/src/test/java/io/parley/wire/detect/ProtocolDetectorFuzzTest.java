package io.parley.wire.detect;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A verdict never changes when more bytes come, except from undecided; that is what makes it safe to decide early. */
class ProtocolDetectorFuzzTest {
    @FuzzTest
    void fuzz(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        for (ProtocolDetector.Layer layer : ProtocolDetector.Layer.values()) {
            Detection whole = ProtocolDetector.detect(in, layer);
            Detection half = ProtocolDetector.detect(in.slice(0, bytes.length / 2), layer);
            if (half instanceof Detection.Opaque) {
                assertThat(whole).isInstanceOf(Detection.Opaque.class);
            }
            if (whole instanceof Detection.NeedMore(int atLeast)) {
                assertThat(atLeast).isGreaterThan(bytes.length);
                assertThat(half).isInstanceOf(Detection.NeedMore.class);
            }
        }
    }
}
