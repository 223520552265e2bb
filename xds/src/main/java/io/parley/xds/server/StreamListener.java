package io.parley.xds.server;

import io.parley.xds.server.session.Rejection;

/** Is told what happens to streams. Called on their threads: must not block. */
public interface StreamListener {
    /** Tells nobody. */
    StreamListener NONE = new StreamListener() {};

    default void opened(StreamInfo stream) {}

    default void acknowledged(StreamInfo stream, String typeUrl, String version) {}

    /** The client rejected an answer and stays with what it had: somebody should look. */
    default void rejected(StreamInfo stream, String typeUrl, Rejection rejection) {}

    default void closed(StreamInfo stream) {}
}
