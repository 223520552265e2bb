package io.parley.sync.copy;

import io.parley.resource.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What a peer wants one copy to be.
 *
 * @param name the peer's name for it
 * @param version the peer's version of it
 * @param resource as it is to be kept here; null: not at all
 */
record Wish(String name, String version, @Nullable Resource resource) {}
