package io.parley.agreement.sync;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of the synchronisation protocol, as the handshake of the Kuma design document writes it. */
public record SyncVersion(int major, int minor, int patch) implements Comparable<SyncVersion> {
    /** Everything of a kind on each change, both directions on one stream (Kuma before 2.5). */
    public static final SyncVersion STATE_OF_THE_WORLD = new SyncVersion(0, 1, 0);

    /** Changes only, a stream for each direction. */
    public static final SyncVersion DELTA = new SyncVersion(0, 2, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})");

    public SyncVersion {
        if (major < 0 || minor < 0 || patch < 0) {
            throw new IllegalArgumentException("sync version: " + major + "." + minor + "." + patch
                    + " (expected: three numbers that are not negative)");
        }
    }

    /** Nothing if it is not three numbers: a newer peer may list versions that we cannot even read. */
    public static Optional<SyncVersion> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new SyncVersion(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    @Override
    public int compareTo(SyncVersion other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = Integer.compare(minor, other.minor);
        return byMajor != 0 ? byMajor : byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
