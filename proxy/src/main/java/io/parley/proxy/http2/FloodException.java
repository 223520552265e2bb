package io.parley.proxy.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/** Ends a connection on which there was too much of something. */
final class FloodException extends Http2Exception {
    private final String word;

    FloodException(String word) {
        super(Http2Error.ENHANCE_YOUR_CALM, "too many frames: " + word);
        this.word = word;
    }

    /** What it is called in the metrics. */
    String word() {
        return word;
    }
}
