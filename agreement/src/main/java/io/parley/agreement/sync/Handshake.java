package io.parley.agreement.sync;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Chooses the protocol version of a zone's connection: the newest that both sides know (Kuma KDS redesign, "Handshake"). */
public final class Handshake {
    private static final Source RULE = Source.ofRule("newest-common-sync-version");
    private static final int MOST_SHOWN = 20;

    private final NavigableSet<SyncVersion> supported;

    public Handshake(List<SyncVersion> supported) {
        this.supported = new TreeSet<>(supported);
        if (this.supported.isEmpty()) {
            throw new IllegalArgumentException("sync versions: none (expected: at least one)");
        }
    }

    /** What became of it. */
    public sealed interface Answer {
        /** This version is spoken from now on. */
        record Agreed(Decision<SyncVersion> version) implements Answer {}

        /** There is none, and this tells both sides' people what to do. */
        record Refused(String message) implements Answer {}
    }

    /**
     * Chooses among what the other side says it supports.
     *
     * @param release the other side's program version, for the message
     */
    public Answer answer(String release, List<String> offered) {
        Optional<SyncVersion> newest = offered.stream()
                .flatMap(text -> SyncVersion.parse(text).stream())
                .filter(supported::contains)
                .max(SyncVersion::compareTo);
        if (newest.isEmpty()) {
            return new Answer.Refused("no common sync version: " + shown(release) + " supports " + shown(offered)
                    + " (expected: one of " + shown(texts()) + "); upgrade the older side");
        }
        String because = newest.get() + " is the newest of " + shown(offered) + " and " + shown(texts());
        return new Answer.Agreed(new Decision<>(newest.get(), because, RULE));
    }

    private List<String> texts() {
        return supported.stream().map(SyncVersion::toString).toList();
    }

    private static String shown(String release) {
        return release.isBlank() ? "a peer that does not tell its release" : "release " + cut(release);
    }

    private static String shown(List<String> versions) {
        return versions.stream().limit(MOST_SHOWN).map(Handshake::cut).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String cut(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
