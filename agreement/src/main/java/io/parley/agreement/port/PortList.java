package io.parley.agreement.port;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A port list as people write it in annotations and settings: {@code mysql,25,4320-4325}. There is one parser for all of them,
 * because four that disagree is what Linkerd users suffer from: a name that one part honours and another part drops.
 *
 * <p>An item is looked up as a port name first, since {@code 123-456} is a legal name; then read as a number or a range. A bad
 * item is reported and the others still count. Empty items are allowed: a trailing comma is harmless.
 *
 * @param ports what the good items add up to
 * @param rejected every bad item, in the order of the text
 */
public record PortList(PortSet ports, List<Rejected> rejected) {
    /**
     * One item that means nothing here.
     *
     * @param position its place in the comma-separated list, from 0
     */
    public record Rejected(int position, String item, String reason) {
        @Override
        public String toString() {
            return "[" + position + "]: " + item + " (" + reason + ")";
        }
    }

    private static final String EXPECTED_NUMBER =
            "expected: a port from " + PortRange.LOWEST + " to " + PortRange.HIGHEST;

    public PortList {
        rejected = List.copyOf(rejected);
    }

    /** Reads a list in which there are no names to refer to. */
    public static PortList parse(String text) {
        return parse(text, Map.of());
    }

    /**
     * Reads a list.
     *
     * @param named ports by the name that the workload gives them
     */
    public static PortList parse(String text, Map<String, PortSet> named) {
        PortSet ports = PortSet.EMPTY;
        List<PortRange> ranges = new ArrayList<>();
        List<Rejected> rejected = new ArrayList<>();
        String[] items = text.split(",", -1);
        for (int position = 0; position < items.length; position++) {
            String item = items[position].strip();
            PortSet byName = named.get(item);
            if (byName != null) {
                ports = ports.or(byName);
            } else if (!item.isEmpty()) {
                Optional<String> problem = read(item, ranges);
                if (problem.isPresent()) {
                    rejected.add(new Rejected(position, item, problem.get()));
                }
            }
        }
        return new PortList(ports.or(new PortSet(ranges)), rejected);
    }

    /** Adds the item's ports to {@code ranges}, or returns what is wrong with it. */
    private static Optional<String> read(String item, List<PortRange> ranges) {
        int dash = item.indexOf('-');
        if (!item.chars().allMatch(c -> c == '-' || isDigit(c)) || item.indexOf('-', dash + 1) >= 0) {
            return Optional.of("no port has this name, " + EXPECTED_NUMBER + ", or a range");
        }
        int first = number(dash < 0 ? item : item.substring(0, dash));
        int last = dash < 0 ? first : number(item.substring(dash + 1));
        if (!isPort(first) || !isPort(last)) {
            return Optional.of(dash < 0 ? EXPECTED_NUMBER : EXPECTED_NUMBER + " at both ends");
        }
        if (first > last) {
            return Optional.of("expected: the lower port first");
        }
        ranges.add(new PortRange(first, last));
        return Optional.empty();
    }

    private static boolean isPort(int number) {
        return PortRange.LOWEST <= number && number <= PortRange.HIGHEST;
    }

    private static boolean isDigit(int c) {
        return '0' <= c && c <= '9';
    }

    /** The number that the digits write, or -1 if there are none or too many to be a port. */
    private static int number(String digits) {
        return digits.isEmpty() || digits.length() > 5 ? -1 : Integer.parseInt(digits);
    }
}
