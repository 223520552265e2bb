package io.parley.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever comes as a trace's context: what is taken means the same when it is written again. */
class TraceContextFuzzTest {
    @FuzzTest
    void isRefusedOrMeansTheSame(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        TraceContext read = TraceContext.parse(text);
        if (read != null) {
            assertThat(TraceContext.parse(read.toString())).isEqualTo(read);
            assertThat(text.substring(3)).startsWith(read.toString().substring(3));
        }
        if (TraceState.isValid(text)) {
            assertThat(text.chars()).allMatch(c -> (c >= 0x20 && c < 0x7f) || c == '\t');
        }
    }
}
