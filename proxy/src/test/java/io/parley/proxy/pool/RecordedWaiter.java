package io.parley.proxy.pool;

import java.util.ArrayList;
import java.util.List;

/** What became of one who waits. */
final class RecordedWaiter implements Waiter {
    private final List<String> told = new ArrayList<>();

    List<String> told() {
        return told;
    }

    @Override
    public void ready(Upstream upstream) {
        told.add("ready");
    }

    @Override
    public void unavailable(String because) {
        told.add("unavailable");
    }

    @Override
    public void hindered(String because) {
        told.add("hindered");
    }

    @Override
    public void mismatched(String found) {
        told.add("mismatched");
    }
}
