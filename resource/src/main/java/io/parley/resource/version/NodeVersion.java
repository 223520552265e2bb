package io.parley.resource.version;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a data plane in the order of releases: number by number, missing ones as 0, and what has a suffix before what
 * has none, as 2.6.1-beta comes before 2.6.1.
 */
public record NodeVersion(List<Integer> numbers, String suffix) implements Comparable<NodeVersion> {
    private static final Pattern WRITTEN =
            Pattern.compile("v?([0-9]{1,9}(\\.[0-9]{1,9}){0,5})([-+][0-9A-Za-z.+-]{1,100})?");

    public NodeVersion {
        numbers = List.copyOf(numbers);
    }

    public static Optional<NodeVersion> parse(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<Integer> numbers = Arrays.stream(matcher.group(1).split("\\.", -1))
                .map(Integer::valueOf)
                .toList();
        String suffix = matcher.group(3);
        // SemVer 10: what follows a plus sign says how it was built, not which version it is.
        boolean release = suffix == null || suffix.startsWith("+");
        return Optional.of(new NodeVersion(numbers, release ? "" : suffix));
    }

    @Override
    public int compareTo(NodeVersion other) {
        for (int index = 0; index < Math.max(numbers.size(), other.numbers.size()); index++) {
            int order = Integer.compare(number(index), other.number(index));
            if (order != 0) {
                return order;
            }
        }
        if (suffix.isEmpty() || other.suffix.isEmpty()) {
            return Boolean.compare(suffix.isEmpty(), other.suffix.isEmpty());
        }
        return suffix.compareTo(other.suffix);
    }

    private int number(int index) {
        return index < numbers.size() ? numbers.get(index) : 0;
    }

    @Override
    public String toString() {
        return String.join(".", numbers.stream().map(String::valueOf).toList()) + suffix;
    }
}
