package io.parley.proxy.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.trace.Span.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConventionsTest {
    @ParameterizedTest
    @CsvSource({
        "CLIENT, 200, -1, , ",
        "CLIENT, 404, -1, , 404",
        "SERVER, 404, -1, , ",
        "SERVER, 500, -1, , 500",
        "CLIENT, 200, 0, , ",
        "CLIENT, 200, 5, , 5",
        "SERVER, 200, 5, , ",
        "SERVER, 200, 14, , 14",
        "SERVER, 503, 14, unreachable, unreachable",
        "CLIENT, 0, -1, , cancelled"
    })
    void anErrorIsWhatTheSideCountsAsOne(
            Kind kind, int status, int grpc, @Nullable String cause, @Nullable String error) {
        assertThat(Conventions.error(kind, status, grpc, cause)).isEqualTo(error);
    }
}
