package io.parley.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;

/** One request on its way to a server. Whoever hands over a buffer does not own it any more. Used on one event loop only. */
public interface ClientStream {
    /** Sends the head in HTTP/2's form, whichever version is spoken. */
    void head(Fields head, boolean last);

    /** Sends content; after a head that was taken from HTTP/1 to HTTP/1, content with its framing. */
    void data(ByteBuf content, boolean last);

    void trailers(Fields trailers);

    /** Sends bytes of HTTP/1 as they are, framing and all. */
    void wire(ByteBuf bytes, boolean last);

    void flush();

    /** Nobody waits for the answer any more. */
    void cancel();

    boolean isWritable();

    /** Whether more of the answer is wanted now. */
    void setReading(boolean on);
}
