package io.parley.proxy.config.file;

import io.parley.proxy.http.HttpDefaults;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.math.BigDecimal;
import java.time.Duration;

/** The {@code http} part of a file. */
final class HttpReader {
    private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(Long.MAX_VALUE);

    private HttpReader() {}

    static HttpDefaults read(Fields http) {
        HttpTimeouts absent = HttpTimeouts.DEFAULT;
        Duration answer = http.at("timeout").duration(DurationRange.NOT_NEGATIVE);
        return new HttpDefaults(
                new HttpTimeouts(
                        or(http.at("headTimeout"), absent.head()),
                        or(http.at("idle"), absent.idle()),
                        or(http.at("streamIdle"), absent.streamIdle()),
                        or(http.at("requestTimeout"), absent.request())),
                HttpLimits.DEFAULT.withBody(bytes(http.at("maxBody"))),
                answer == null || answer.isZero() ? null : answer);
    }

    private static Duration or(Field field, Duration absent) {
        Duration written = field.duration(DurationRange.NOT_NEGATIVE);
        return written == null ? absent : written;
    }

    private static long bytes(Field field) {
        BigDecimal written = field.decimal("a whole number of bytes, 0 for no limit", HttpReader::isBytes);
        return written == null ? HttpLimits.DEFAULT.body() : written.longValueExact();
    }

    private static boolean isBytes(BigDecimal number) {
        return number.signum() >= 0
                && number.compareTo(MOST_BYTES) <= 0
                && number.stripTrailingZeros().scale() <= 0;
    }
}
