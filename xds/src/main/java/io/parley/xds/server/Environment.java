package io.parley.xds.server;

import io.parley.xds.server.session.NameSets;
import io.parley.xds.server.session.TypePolicy;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What all streams of a server share. */
record Environment(
        SnapshotSource source,
        TypePolicy types,
        ServerLimits limits,
        StreamListener listener,
        ServerMetrics metrics,
        StreamRegistry registry,
        NameSets names,
        String controlPlane,
        TurnExecutors turns,
        LongSupplier ticker,
        RandomGenerator random) {}
