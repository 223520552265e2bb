package io.parley.wire.detect;

import io.netty.buffer.ByteBuf;
import io.parley.wire.header.ConnectionHeaderCodec;
import io.parley.wire.header.HeaderRead;
import io.parley.wire.tls.ClientHelloReader;
import io.parley.wire.tls.HelloRead;

/**
 * Tells protocols apart by their first bytes. It answers as soon as the bytes allow and asks for more only while every byte so far
 * fits a protocol that it knows: waiting for a whole line, or for a fixed number of bytes, makes other protocols hang.
 */
public final class ProtocolDetector {
    /** Where the bytes come from, which decides what they may be. */
    public enum Layer {
        /** As they came off the wire. A connection header here is a forgery, and so just opaque bytes. */
        CLEAR,

        /** Out of a mutually authenticated TLS connection between proxies, where a header may stand first. */
        INSIDE_MUTUAL_TLS
    }

    private ProtocolDetector() {}

    /** Looks at the readable bytes; neither index moves. */
    public static Detection detect(ByteBuf in, Layer layer) {
        if (!in.isReadable()) {
            return new Detection.NeedMore(1);
        }
        if (layer == Layer.INSIDE_MUTUAL_TLS) {
            switch (ConnectionHeaderCodec.read(in)) {
                case HeaderRead.Found(var header, var length) -> {
                    return new Detection.Header(header, length);
                }
                case HeaderRead.NeedMore(var atLeast) -> {
                    return new Detection.NeedMore(atLeast);
                }
                case HeaderRead.Malformed(var because) -> {
                    return new Detection.BadHeader(because);
                }
                case HeaderRead.Absent() -> {}
            }
        }
        return switch (ClientHelloReader.read(in)) {
            case HelloRead.Found(var hello) -> new Detection.Tls(hello);
            case HelloRead.NeedMore(var atLeast) -> new Detection.NeedMore(atLeast);
            case HelloRead.NotTls _ -> HttpStart.detect(in);
        };
    }
}
