package io.parley.link.config;

import io.parley.link.server.NodeLink;

/** Told what became of what was sent. Called on event loops: must not block. */
public interface ConfigListener {
    ConfigListener NONE = new ConfigListener() {};

    /** The node runs on it. */
    default void applied(NodeLink node, String type, String version) {}

    /** The node goes on with what it had. */
    default void refused(NodeLink node, String type, String version, String reason) {}
}
