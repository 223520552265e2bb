package io.parley.xds.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

class BootstrapFuzzTest {
    @FuzzTest
    void neverThrowsAndWritesBackWhatItRead(byte[] json) {
        switch (BootstrapParser.parse(json)) {
            case BootstrapResult.Loaded(Bootstrap bootstrap) -> {
                if (!bootstrap.node().getId().isEmpty()) {
                    String text = BootstrapWriter.write(bootstrap);
                    assertThat(BootstrapParser.parse(text.getBytes(UTF_8)))
                            .isEqualTo(new BootstrapResult.Loaded(bootstrap));
                }
            }
            case BootstrapResult.Rejected rejected ->
                assertThat(rejected.message()).contains("(expected: ");
        }
    }
}
