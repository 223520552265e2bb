package io.parley.bench.xds;

import java.util.List;

/** What one run measured: the median time and the mean cost of its changes. */
record Result(
        double connectSeconds,
        double connectCpuSeconds,
        double heapKib,
        double changeMillis,
        double changeCpuMillis,
        double changeKib) {
    static final List<String> HEADERS = List.of(
            "connect all (s)",
            "CPU of connecting (s)",
            "heap per client (KiB)",
            "change to last client (ms)",
            "CPU per change (ms)",
            "bytes per change and client (KiB)");

    List<Double> values() {
        return List.of(connectSeconds, connectCpuSeconds, heapKib, changeMillis, changeCpuMillis, changeKib);
    }
}
