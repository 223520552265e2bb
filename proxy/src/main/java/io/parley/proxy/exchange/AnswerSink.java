package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;

/** The client's side of one request, as far as it is answered. Buffers are handed over. Used on one event loop only. */
public interface AnswerSink {
    /** Whether the answer's head may be given as bytes of HTTP/1.1. */
    boolean takesWire();

    /** Sends the head of the answer, or of an interim one, in HTTP/2's form. */
    void head(Fields head, boolean last);

    void data(ByteBuf content, boolean last);

    void trailers(Fields trailers);

    /** Sends bytes of HTTP/1.1 as they are. */
    void wire(ByteBuf bytes, boolean last);

    void flush();

    /** The answer cannot be finished: the client must notice. */
    void abort(String because);

    /** The same, with what a client of gRPC is to make of it. */
    default void abort(String because, int grpcStatus) {
        abort(because);
    }

    boolean isWritable();
}
