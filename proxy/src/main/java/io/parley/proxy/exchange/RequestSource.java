package io.parley.proxy.exchange;

import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.wire.http.Fields;

/** The client's side of one request, as far as it sends. Used on one event loop only. */
public interface RequestSource {
    /** Whether the head came over HTTP/1.1 and may pass byte by byte. */
    boolean isPlain();

    /** The version of HTTP that the client speaks. */
    Version version();

    /** Whether the head is all there is of the request. */
    boolean isBodyless();

    /** Bytes of content that have come so far. */
    long received();

    /** The head in HTTP/2's form, without what is for this hop only; whoever asks may change it. */
    Fields model();

    /** A server is there: hands what the client has sent so far to the exchange, and then what else it sends. */
    void pump();

    /** Whether more of the request is wanted now. */
    void setReading(boolean on);
}
