package io.parley.xds.server;

/** Is told what clients have, one by one, each on the thread of its stream. */
public interface StateReader {
    /** Whether to be told of the streams of this node; asked again just before it is worked out. */
    boolean wants(NodeIdentity node);

    void read(StreamState state);
}
