package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** Takes what a peer sends, frame by frame. What it throws for a stream comes back by {@link #failed}. */
interface FrameSink {
    /** A frame of content begins, of so many bytes, padding included. */
    void dataBegins(int stream, int bytes, boolean last) throws Http2Fault;

    /** So many bytes of the frame that has begun are no content. */
    void padding(int stream, int bytes);

    /** Content, as much of a frame as has come; the buffer is handed over. */
    void data(int stream, ByteBuf content, boolean last) throws Http2Fault;

    /**
     * A head, or trailers.
     *
     * @param flaw what is wrong with the order of its fields; null if nothing is
     */
    void head(int stream, Fields fields, @Nullable String flaw, boolean last) throws Http2Fault;

    /** A head whose fields are too large to be kept. */
    void headTooLarge(int stream, boolean last) throws Http2Fault;

    void priority() throws Http2Fault;

    void reset(int stream, int code) throws Http2Fault;

    void setting(int name, int value) throws Http2Fault;

    /** All of the peer's settings have been told. */
    void settingsEnd() throws Http2Fault;

    /** The peer has heard what this side told it. */
    void settingsHeard();

    void ping(long content) throws Http2Fault;

    void goAway(int lastStream, int code);

    void windowUpdate(int stream, int increment) throws Http2Fault;

    /** A frame that means nothing: of an unknown type, or an answer to one of ours that needs none. */
    void meaningless(int type) throws Http2Fault;

    /** What is wrong with one stream only. */
    void failed(Http2Fault fault) throws Http2Fault;
}
