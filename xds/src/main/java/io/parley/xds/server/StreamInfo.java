package io.parley.xds.server;

/**
 * A stream, for people.
 *
 * @param id counts up from 1 in one server
 * @param method full name of the gRPC method, which tells version, variant and type
 */
public record StreamInfo(long id, String method, NodeIdentity node) {}
