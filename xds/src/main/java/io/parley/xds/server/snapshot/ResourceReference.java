package io.parley.xds.server.snapshot;

/**
 * The name of a resource of some type.
 *
 * @param typeUrl canonical, see {@link io.parley.xds.type.ResourceType#canonical(String)}
 */
public record ResourceReference(String typeUrl, String name) {}
