package io.parley.xds.client;

import java.util.concurrent.Executor;

/** A watcher, and where it wants to be called. */
record Subscriber<T>(Watcher<T> watcher, Executor executor) {}
