package io.parley.sync.stream;

import io.parley.sync.copy.Verdict;
import java.time.Duration;

/** Is told what happens on streams, by kind. Called on their threads: must not block. */
public interface StreamCounts {
    default void sent(String kind, int resources, int bytes) {}

    /** The peer has taken what was sent, this long after it was. */
    default void acknowledged(String kind, Duration after) {}

    default void rejected(String kind, String message) {}

    /** Nothing of a kind stands rejected by the peer: all was taken, or was replaced by what is. */
    default void inStep(String kind) {}

    default void received(String kind, int resources, Verdict verdict) {}

    /** A kind is too large for a peer that takes it only whole; nothing of it is sent. */
    default void unsendable(String kind, int bytes, int resources) {}

    /** The peer would not understand a kind; nothing is said of it. */
    default void withheld(String kind, int resources) {}

    /** The peer sent more of a kind than is kept until it is whole. */
    default void overflowed() {}
}
