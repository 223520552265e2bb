package io.parley.proxy.pool;

import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * Takes down how long requests wait for a connection, whether they get one or not.
 *
 * @param ticker nanoseconds
 * @param waited told the name of the cluster and the nanoseconds
 */
public record WaitingTimes(LongSupplier ticker, ObjLongConsumer<String> waited) {}
