package io.parley.xds.server.session;

import org.jspecify.annotations.Nullable;

/**
 * A {@code DiscoveryRequest} without its node.
 *
 * @param error set on a NACK
 */
public record SotwRequest(
        String typeUrl,
        String version,
        String nonce,
        NameList names,
        @Nullable ErrorDetail error) {}
