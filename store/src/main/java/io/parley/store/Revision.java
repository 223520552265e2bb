package io.parley.store;

/**
 * A position in the store's one history. Commits are numbered 1, 2, 3… without a gap and in the order in which they became
 * durable. The revision of its last write is also the version of a resource: it grows with each change and never comes back, so
 * a resource that was deleted and made again cannot be taken for the old one (docs/decisions/0020).
 */
public record Revision(long number) implements Comparable<Revision> {
    /** Before the first commit. */
    public static final Revision START = new Revision(0);

    public Revision {
        if (number < 0) {
            throw new IllegalArgumentException("revision: " + number + " (expected: >= 0)");
        }
    }

    public Revision next() {
        return new Revision(number + 1);
    }

    public boolean isAfter(Revision other) {
        return number > other.number;
    }

    @Override
    public int compareTo(Revision other) {
        return Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return Long.toString(number);
    }
}
