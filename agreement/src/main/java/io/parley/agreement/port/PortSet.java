package io.parley.agreement.port;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of ports as sorted, disjoint, maximal ranges. {@code 1-65535} is one entry: expanding such ranges has blown up manifests
 * and memory elsewhere (linkerd2 issue 9803).
 */
public record PortSet(List<PortRange> ranges) {
    public static final PortSet EMPTY = new PortSet(List.of());

    public PortSet {
        ranges = normalised(ranges);
    }

    public static PortSet of(PortRange... ranges) {
        return new PortSet(List.of(ranges));
    }

    /** What is opaque for a Service is what is opaque for any of its pods: the union over all of them. */
    public static PortSet union(Collection<PortSet> sets) {
        return new PortSet(sets.stream().flatMap(set -> set.ranges.stream()).toList());
    }

    public PortSet or(PortSet other) {
        return new PortSet(Stream.concat(ranges.stream(), other.ranges.stream()).toList());
    }

    public boolean contains(int port) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            PortRange range = ranges.get(middle);
            if (port < range.first()) {
                high = middle - 1;
            } else if (port > range.last()) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** The set in the grammar that {@link PortList} reads: {@code 25,3306,4320-4325}. */
    @Override
    public String toString() {
        return ranges.stream().map(PortRange::toString).collect(Collectors.joining(","));
    }

    private static List<PortRange> normalised(List<PortRange> ranges) {
        List<PortRange> merged = new ArrayList<>();
        for (PortRange range : ranges.stream().sorted().toList()) {
            if (!merged.isEmpty() && merged.getLast().touches(range)) {
                merged.add(merged.removeLast().span(range));
            } else {
                merged.add(range);
            }
        }
        return List.copyOf(merged);
    }
}
