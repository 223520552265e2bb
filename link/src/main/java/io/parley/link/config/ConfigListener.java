package io.parley.link.config;

import io.parley.link.server.NodeLink;
import java.util.List;

/** Told what became of what was sent. Called on event loops: must not block. */
public interface ConfigListener {
    ConfigListener NONE = new ConfigListener() {};

    /** The node wants to be told of these types, and has been told of none of them. For each it is said below what became of it. */
    default void asked(NodeLink node, List<String> types) {}

    /** The node runs on it. */
    default void applied(NodeLink node, String type, String version) {}

    /** The node goes on with what it had. */
    default void refused(NodeLink node, String type, String version, String reason) {}

    /** Tells this one first, then the other. */
    default ConfigListener and(ConfigListener other) {
        ConfigListener first = this;
        return new ConfigListener() {
            @Override
            public void asked(NodeLink node, List<String> types) {
                first.asked(node, types);
                other.asked(node, types);
            }

            @Override
            public void applied(NodeLink node, String type, String version) {
                first.applied(node, type, version);
                other.applied(node, type, version);
            }

            @Override
            public void refused(NodeLink node, String type, String version, String reason) {
                first.refused(node, type, version, reason);
                other.refused(node, type, version, reason);
            }
        };
    }
}
