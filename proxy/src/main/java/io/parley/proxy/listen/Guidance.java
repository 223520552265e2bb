package io.parley.proxy.listen;

import org.jspecify.annotations.Nullable;

/**
 * How it stands between a proxy and whoever tells it what to do.
 *
 * @param by a file, a control plane
 * @param lost why it could not be told anything new now; null if it could
 * @param refused what of the last word is not in force, and why; empty if all is
 */
public record Guidance(String by, @Nullable String lost, String refused) {}
