package io.parley.proxy.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Type", "content-type", "CONTENT-TYPE", "X-Unheard-Of", "x", "Hosts", "Content_Type"})
    void aNameIsInLowerCaseHoweverItIsWritten(String written) {
        assertThat((CharSequence) of(written)).hasToString(written.toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "User-Agent", "Accept-Language", "Referer", "Location", "X-Request-Id"})
    void aUsualNameExistsOnce(String written) {
        assertThat((CharSequence) of(written)).isSameAs(of(written.toLowerCase(Locale.ROOT)));
    }

    @Test
    void aNameIsFoundAmongOtherBytes() {
        byte[] line = "xxDate: today".getBytes(StandardCharsets.US_ASCII);
        assertThat((CharSequence) FieldNames.of(line, 2, 6)).hasToString("date");
    }

    private static AsciiString of(String written) {
        byte[] bytes = written.getBytes(StandardCharsets.US_ASCII);
        return FieldNames.of(bytes, 0, bytes.length);
    }
}
