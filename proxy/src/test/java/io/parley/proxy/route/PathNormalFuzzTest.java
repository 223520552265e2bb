package io.parley.proxy.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever path comes: the same form however often it is made normal, and nothing in it that leads elsewhere. */
class PathNormalFuzzTest {
    @FuzzTest
    void isStable(byte[] input) {
        String path = "/" + new String(input, StandardCharsets.ISO_8859_1).replace("?", "");
        String normal = PathNormal.of(path);
        if (normal != null) {
            assertThat(normal).startsWith("/").doesNotContain("//", "/./", "/../", "\\");
            assertThat(PathNormal.of(normal)).isEqualTo(normal);
        }
    }
}
