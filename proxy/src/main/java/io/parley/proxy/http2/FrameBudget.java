package io.parley.proxy.http2;

import java.time.Duration;
import java.util.EnumMap;
import java.util.function.LongSupplier;

/**
 * Counts frames that cost the sender nothing and the receiver something (CVE-2019-9511 and its kin). Each kind has an allowance for
 * half a minute, larger by what the connection has done for the peer's good; beyond it the connection ends.
 */
final class FrameBudget {
    /** A kind of frame, with its word in the metrics. */
    enum Kind {
        PING("ping-flood", 200),
        SETTINGS("settings-flood", 100),
        PRIORITY("priority-flood", 100),
        WINDOW_UPDATE("window-update-flood", 500),
        UNKNOWN("unknown-frame-flood", 1_000),

        /** Requests that are called off as soon as they are made (CVE-2023-44487). */
        RESET("rapid-reset", 200),

        /** Mistakes for which this side must reset a stream: the same, made by the other hand (CVE-2025-8671). */
        MADE_RESET("made-reset", 200),

        /** Streams beyond the limit, by a client that knows it. */
        REFUSED("refused-streams", 200),

        /** The same by one that cannot know it yet: until it has heard of a limit there is none for it (RFC 9113 6.5.2). */
        REFUSED_UNTOLD("refused-streams", 2_000),

        /** Streams that come after it was told that nobody looks at them; at first they are those that were under way. */
        UNHEARD("refused-streams", 10_000);

        private final String word;
        private final int allowance;

        Kind(String word, int allowance) {
            this.word = word;
            this.allowance = allowance;
        }
    }

    private static final long WINDOW_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int PER_STREAM = 100;
    private static final int PER_DATA_FRAME = 10;

    private final LongSupplier ticker;
    private final EnumMap<Kind, long[]> counts = new EnumMap<>(Kind.class);
    private long since;
    private long streams;
    private long own;
    private long dataFrames;
    private long received;
    private int messages;

    FrameBudget(LongSupplier ticker) {
        this.ticker = ticker;
        this.since = ticker.getAsLong();
    }

    /** The peer has opened a stream. */
    void streamOpened() {
        streams++;
    }

    /** This side has opened a stream. */
    void streamBegun() {
        own++;
    }

    /** A frame with content was sent. */
    void dataSent() {
        dataFrames++;
    }

    /** A frame came that carries something: a head or content. */
    void carried() {
        received++;
        messages++;
    }

    /** How many frames that carry something have come, ever. */
    int messages() {
        return messages;
    }

    void spend(Kind kind) throws Http2Fault {
        if (!allows(kind)) {
            throw Http2Fault.flood(kind.word);
        }
    }

    /** Counts one of a kind that need not end the connection at once. */
    boolean allows(Kind kind) {
        long count = ++counts.computeIfAbsent(kind, _ -> new long[1])[0];
        if (count <= kind.allowance) {
            return true;
        }
        long now = ticker.getAsLong();
        if (now - since > WINDOW_NANOS) {
            counts.clear();
            since = now;
            streams = 0;
            own = 0;
            dataFrames = 0;
            received = 0;
            return true;
        }
        long earned = switch (kind) {
            case PRIORITY -> streams * PER_STREAM;
            case WINDOW_UPDATE -> (streams + own) * 4 + dataFrames * PER_DATA_FRAME;
            // Programs of gRPC ping with each round of content that they get, to find out how much fits on the way.
            case PING -> dataFrames + received;
            // A server can end what it was asked for and no more: it fails these requests, and all others if the
            // connection ended for it.
            case RESET, MADE_RESET -> own;
            case SETTINGS, UNKNOWN, REFUSED, REFUSED_UNTOLD, UNHEARD -> 0;
        };
        return count <= kind.allowance + earned;
    }
}
