package io.parley.proxy.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.time.Duration;
import java.util.EnumMap;
import java.util.function.Consumer;
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
        EMPTY_HEADERS("empty-headers-flood", 10),
        UNKNOWN("unknown-frame-flood", 1_000);

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
    private final Consumer<String> abuse;
    private final EnumMap<Kind, long[]> counts = new EnumMap<>(Kind.class);
    private long since;
    private long streams;
    private long dataFrames;

    FrameBudget(LongSupplier ticker, Consumer<String> abuse) {
        this.ticker = ticker;
        this.abuse = abuse;
        this.since = ticker.getAsLong();
    }

    void streamOpened() {
        streams++;
    }

    void dataSent() {
        dataFrames++;
    }

    void spend(Kind kind) throws Http2Exception {
        long count = ++counts.computeIfAbsent(kind, _ -> new long[1])[0];
        if (count <= kind.allowance) {
            return;
        }
        long now = ticker.getAsLong();
        if (now - since > WINDOW_NANOS) {
            counts.clear();
            since = now;
            streams = 0;
            dataFrames = 0;
            return;
        }
        long earned = switch (kind) {
            case PRIORITY -> streams * PER_STREAM;
            case WINDOW_UPDATE -> streams * 4 + dataFrames * PER_DATA_FRAME;
            case PING, SETTINGS, EMPTY_HEADERS, UNKNOWN -> 0;
        };
        if (count > kind.allowance + earned) {
            abuse.accept(kind.word);
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too many frames: %s", kind.word);
        }
    }
}
