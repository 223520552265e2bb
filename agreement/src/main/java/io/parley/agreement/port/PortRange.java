package io.parley.agreement.port;

/** A run of ports, both ends included. */
public record PortRange(int first, int last) implements Comparable<PortRange> {
    public static final int LOWEST = 1;
    public static final int HIGHEST = 65535;

    public PortRange {
        if (first < LOWEST || last > HIGHEST || first > last) {
            throw new IllegalArgumentException("port range: " + first + "-" + last + " (expected: " + LOWEST
                    + " <= first <= last <= " + HIGHEST + ")");
        }
    }

    public static PortRange of(int port) {
        return new PortRange(port, port);
    }

    public boolean contains(int port) {
        return first <= port && port <= last;
    }

    /** True if the two overlap or follow each other without a gap. */
    boolean touches(PortRange other) {
        return first <= other.last + 1 && other.first <= last + 1;
    }

    PortRange span(PortRange other) {
        return new PortRange(Math.min(first, other.first), Math.max(last, other.last));
    }

    @Override
    public int compareTo(PortRange other) {
        int byFirst = Integer.compare(first, other.first);
        return byFirst != 0 ? byFirst : Integer.compare(last, other.last);
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
