package io.parley.xds.server;

/** Is told what clients have, one by one: each while nothing else happens on its stream, on this thread or on that one's. */
public interface StateReader {
    /** Whether to be told of the streams of this node; asked again just before it is worked out. */
    boolean wants(NodeIdentity node);

    void read(StreamState state);
}
