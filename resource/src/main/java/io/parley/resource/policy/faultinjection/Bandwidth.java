package io.parley.resource.policy.faultinjection;

import io.parley.resource.read.Field;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A speed, written {@code 50Mbps} or {@code 50 Mbps}. */
public record Bandwidth(long bitsPerSecond) {
    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,9}) ?([kMG]bps)");
    private static final Map<String, Long> UNITS = Map.of("kbps", 1_000L, "Mbps", 1_000_000L, "Gbps", 1_000_000_000L);

    public static Optional<Bandwidth> parse(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        Long unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        return unit == null ? Optional.empty() : Optional.of(new Bandwidth(Long.parseLong(matcher.group(1)) * unit));
    }

    static Bandwidth read(Field field) {
        String text = field.requireText(
                "a number with kbps, Mbps or Gbps, such as 50Mbps",
                written -> parse(written).isPresent());
        return parse(text).orElse(new Bandwidth(0));
    }
}
