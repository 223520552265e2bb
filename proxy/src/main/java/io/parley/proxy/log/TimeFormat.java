package io.parley.proxy.log;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.function.Consumer;

/** Formats of time in the letters of strftime, in UTC. */
final class TimeFormat {
    private static final String USUAL = "%Y-%m-%dT%H:%M:%S.%3fZ";

    private TimeFormat() {}

    /** Reads a format; empty is ISO 8601 with milliseconds. */
    static DateTimeFormatter of(String format, Consumer<String> problems) {
        String text = format.isEmpty() ? USUAL : format;
        DateTimeFormatterBuilder out = new DateTimeFormatterBuilder();
        int at = 0;
        while (at < text.length()) {
            char letter = text.charAt(at++);
            if (letter != '%') {
                out.appendLiteral(letter);
                continue;
            }
            int digits = at < text.length() && Character.digit(text.charAt(at), 10) > 0
                    ? Character.digit(text.charAt(at++), 10)
                    : 9;
            char command = at < text.length() ? text.charAt(at++) : '%';
            append(command, digits, out, problems);
        }
        return out.toFormatter(Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    private static void append(char command, int digits, DateTimeFormatterBuilder out, Consumer<String> problems) {
        switch (command) {
            case 'Y' -> out.appendValue(ChronoField.YEAR, 4);
            case 'm' -> out.appendValue(ChronoField.MONTH_OF_YEAR, 2);
            case 'd' -> out.appendValue(ChronoField.DAY_OF_MONTH, 2);
            case 'H' -> out.appendValue(ChronoField.HOUR_OF_DAY, 2);
            case 'M' -> out.appendValue(ChronoField.MINUTE_OF_HOUR, 2);
            case 'S' -> out.appendValue(ChronoField.SECOND_OF_MINUTE, 2);
            case 'f' -> out.appendFraction(ChronoField.NANO_OF_SECOND, digits, digits, false);
            case 's' -> out.appendValue(ChronoField.INSTANT_SECONDS);
            case 'F' -> out.appendPattern("uuuu-MM-dd");
            case 'T' -> out.appendPattern("HH:mm:ss");
            case 'b' -> out.appendPattern("MMM");
            case 'z' -> out.appendLiteral("+0000");
            case 'Z' -> out.appendLiteral("UTC");
            default ->
                problems.accept("%START_TIME%: %" + command + " (expected: letters of strftime out of YmdHMSfsFTbzZ)");
        }
    }
}
