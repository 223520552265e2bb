package io.parley.resource.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "0s, PT0S",
        "5s, PT5S",
        "100ms, PT0.1S",
        "1h30m, PT1H30M",
        "1.5s, PT1.5S",
        ".5s, PT0.5S",
        "1.s, PT1S",
        "-2m, PT-2M",
        "+3s, PT3S",
        "10us, PT0.00001S",
        "10µs, PT0.00001S",
        "1ns, PT0.000000001S",
        "2562047h47m16.854775807s, PT2562047H47M16.854775807S"
    })
    void areWrittenAsInGo(String text, Duration expected) {
        assertThat(Durations.parse(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "s",
                "5 s",
                "5d",
                "-",
                "1h-1m",
                "5S",
                ".s",
                "1e3s",
                "9999999h",
                "1s ",
                "PT5S",
                "--1s",
                "٣s"
            })
    void nothingElseIsADuration(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"24h, PT24H", "30d, PT720H", "1y, PT8760H", "2w3d, PT408H", "1d12h, PT36H"})
    void theLifeOfACertificateMayBeWrittenInDays(String text, Duration expected) {
        assertThat(Durations.parseLong(text)).contains(expected);
    }

    @FuzzTest
    void noTextMakesThemThrow(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Durations.parse(text)
                .ifPresent(
                        duration -> assertThat(duration.abs()).isLessThanOrEqualTo(Duration.ofNanos(Long.MAX_VALUE)));
        assertThat(Durations.parseLong(text)).isNotNull();
    }
}
