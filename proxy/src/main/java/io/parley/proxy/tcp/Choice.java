package io.parley.proxy.tcp;

import io.parley.proxy.config.Endpoint;

/**
 * Where a connection goes.
 *
 * @param target the service or port that was meant
 * @param cluster the endpoints that could serve it
 * @param endpoint the one that does
 */
public record Choice(String target, String cluster, Endpoint endpoint) {}
