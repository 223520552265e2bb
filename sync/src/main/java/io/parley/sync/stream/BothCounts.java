package io.parley.sync.stream;

import io.parley.sync.copy.Verdict;
import java.time.Duration;

/** Tells two of what happens. */
public record BothCounts(StreamCounts one, StreamCounts other) implements StreamCounts {
    @Override
    public void sent(String kind, int resources, int bytes) {
        one.sent(kind, resources, bytes);
        other.sent(kind, resources, bytes);
    }

    @Override
    public void acknowledged(String kind, Duration after) {
        one.acknowledged(kind, after);
        other.acknowledged(kind, after);
    }

    @Override
    public void rejected(String kind, String message) {
        one.rejected(kind, message);
        other.rejected(kind, message);
    }

    @Override
    public void inStep(String kind) {
        one.inStep(kind);
        other.inStep(kind);
    }

    @Override
    public void received(String kind, int resources, Verdict verdict) {
        one.received(kind, resources, verdict);
        other.received(kind, resources, verdict);
    }

    @Override
    public void unsendable(String kind, int bytes, int resources) {
        one.unsendable(kind, bytes, resources);
        other.unsendable(kind, bytes, resources);
    }

    @Override
    public void withheld(String kind, int resources) {
        one.withheld(kind, resources);
        other.withheld(kind, resources);
    }

    @Override
    public void overflowed() {
        one.overflowed();
        other.overflowed();
    }
}
