package io.parley.agreement.version;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The release of a node, as far as releases can be compared: one to four numbers. What follows them, such as {@code -beta}, is
 * ignored, so that a preview of a release is treated like the release.
 */
public record NodeVersion(List<Integer> numbers) implements Comparable<NodeVersion> {
    private static final Pattern LEADING_NUMBERS = Pattern.compile("v?(\\d{1,9}(?:\\.\\d{1,9}){0,3})(?:[-+.].*)?");

    public NodeVersion {
        numbers = List.copyOf(numbers);
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("version: no numbers (expected: one to four)");
        }
    }

    /** Nothing if the text does not begin with numbers: versions of nodes are opaque and may be anything. */
    public static Optional<NodeVersion> parse(String text) {
        Matcher matcher = LEADING_NUMBERS.matcher(text);
        return matcher.matches()
                ? Optional.of(new NodeVersion(Arrays.stream(matcher.group(1).split("\\.", -1))
                        .map(Integer::valueOf)
                        .toList()))
                : Optional.empty();
    }

    /** For what people wrote into a policy: there it has to be a version. */
    public static NodeVersion require(String text) {
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "version: " + text + " (expected: numbers such as 3.1 or 2.8.3.2)"));
    }

    @Override
    public int compareTo(NodeVersion other) {
        for (int i = 0; i < Math.max(numbers.size(), other.numbers.size()); i++) {
            int difference = Integer.compare(part(i), other.part(i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private int part(int index) {
        return index < numbers.size() ? numbers.get(index) : 0;
    }

    @Override
    public String toString() {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining("."));
    }
}
