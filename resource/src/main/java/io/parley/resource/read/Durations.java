package io.parley.resource.read;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them ({@code 1h30m}, {@code 100ms}, {@code 1.5s}), which is how mesh policies write them. */
public final class Durations {
    /** A duration above this is no duration but a mistake; it is also what fits Go's 64 bits of nanoseconds. */
    private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final int MAX_LENGTH = 100;

    private static final Map<String, BigDecimal> GO_UNITS = Map.of(
            "ns", BigDecimal.ONE,
            "us", nanos(Duration.ofNanos(1_000)),
            "µs", nanos(Duration.ofNanos(1_000)),
            "μs", nanos(Duration.ofNanos(1_000)),
            "ms", nanos(Duration.ofMillis(1)),
            "s", nanos(Duration.ofSeconds(1)),
            "m", nanos(Duration.ofMinutes(1)),
            "h", nanos(Duration.ofHours(1)));

    private static final Map<String, BigDecimal> CALENDAR_UNITS = Map.of(
            "y", nanos(Duration.ofDays(365)),
            "w", nanos(Duration.ofDays(7)),
            "d", nanos(Duration.ofDays(1)),
            "h", nanos(Duration.ofHours(1)),
            "m", nanos(Duration.ofMinutes(1)),
            "s", nanos(Duration.ofSeconds(1)),
            "ms", nanos(Duration.ofMillis(1)));

    // Possessive throughout: no input makes these look at a character twice.
    private static final Pattern PART = Pattern.compile("([0-9]*+)(?:\\.([0-9]*+))?+([a-zµμ]++)");

    private Durations() {}

    /** The duration that the text writes, negative ones included, or nothing if it writes none. */
    public static Optional<Duration> parse(String text) {
        boolean negative = text.startsWith("-");
        String unsigned = negative || text.startsWith("+") ? text.substring(1) : text;
        if (unsigned.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        return sum(unsigned, GO_UNITS).map(duration -> negative ? duration.negated() : duration);
    }

    /** Years, weeks and days too, as the life of a certificate is written: {@code 1y}, {@code 2w3d}. */
    public static Optional<Duration> parseLong(String text) {
        return sum(text, CALENDAR_UNITS);
    }

    private static Optional<Duration> sum(String text, Map<String, BigDecimal> units) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        BigDecimal total = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        int at = 0;
        while (at < text.length()) {
            part.region(at, text.length());
            if (!part.lookingAt()) {
                return Optional.empty();
            }
            String fraction = part.group(2) == null ? "" : part.group(2);
            BigDecimal unit = units.get(part.group(3));
            if (unit == null || (part.group(1).isEmpty() && fraction.isEmpty())) {
                return Optional.empty();
            }
            total = total.add(new BigDecimal("0" + part.group(1) + "." + fraction + "0").multiply(unit));
            at = part.end();
        }
        return total.compareTo(MAX_NANOS) > 0 ? Optional.empty() : Optional.of(Duration.ofNanos(total.longValue()));
    }

    private static BigDecimal nanos(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos());
    }
}
