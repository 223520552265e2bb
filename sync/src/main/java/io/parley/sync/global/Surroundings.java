package io.parley.sync.global;

import io.parley.agreement.sync.Features;
import io.parley.sync.GlobalSettings;
import io.parley.sync.status.SyncMetrics;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What all calls of zones share.
 *
 * @param features what we announce
 * @param executor of threads that may block
 */
record Surroundings(
        Gatekeeper gatekeeper,
        GlobalSettings settings,
        Features features,
        SyncMetrics metrics,
        Executor executor,
        LongSupplier ticker) {}
