package io.parley.wire.wrpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;

class FrameCodecFuzzTest {
    @FuzzTest
    void whateverArrivesIsAResultAndAFrameSurvivesTheRoundTrip(byte[] bytes) {
        switch (FrameCodec.decode(ByteBuffer.wrap(bytes))) {
            case Frame frame ->
                assertThat(FrameCodec.decode(ByteBuffer.wrap(FrameCodec.encode(frame))))
                        .isEqualTo(frame);
            case Received.Refused refused -> assertThat(refused.reason()).isNotBlank();
            case Received.Malformed malformed ->
                assertThat(malformed.close().text()).isNotBlank();
        }
    }
}
