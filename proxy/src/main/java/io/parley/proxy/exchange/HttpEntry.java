package io.parley.proxy.exchange;

/** Where connections go that turn out to carry HTTP. */
public interface HttpEntry {
    /** Whether connections of this protocol belong here. */
    boolean serves(io.parley.proxy.config.Protocol protocol);

    /** Takes a connection over, on its event loop. */
    void serve(Connection connection);
}
