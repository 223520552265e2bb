package io.parley.proxy.exchange;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.RouteAction;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * How a request is sent.
 *
 * @param version the version of HTTP that is spoken, unless an endpoint is known not to speak it
 * @param framed whether the content passes with its framing, HTTP/1 to HTTP/1
 * @param wire whether all of it passes byte by byte, the head as well
 * @param mirrored whether there are copies
 * @param keepsPieces whether what was sent is kept although it came in pieces
 */
record Manner(Version version, boolean framed, boolean wire, boolean mirrored, boolean keepsPieces) {
    static final Manner NONE = new Manner(Version.HTTP1, false, false, false, false);

    /**
     * What is spoken for this head. Where the server may choose it would choose HTTP/2, and most that do take no WebSockets over it;
     * whoever takes WebSockets takes them over HTTP/1.1.
     */
    Version spoken(@Nullable Fields head) {
        return version == Version.NEGOTIATED && head != null && head.contains(Fields.PROTOCOL)
                ? Version.HTTP1
                : version;
    }

    /**
     * Decides.
     *
     * @param received the version in which the request came
     * @param untouched whether nothing of its head must be changed
     */
    static Manner of(Cluster to, RouteAction.Forward forward, Version received, boolean untouched) {
        Version asked = to.http().version();
        Version version = asked == Version.AS_RECEIVED ? received : asked;
        boolean mirrored = forward.isMirrored();
        // A copy, or the request itself, may go to a server that speaks another version.
        boolean either = mirrored || to.http().otherwise() != null;
        boolean framed = version == Version.HTTP1 && received == Version.HTTP1 && !either;
        return new Manner(version, framed, framed && untouched, mirrored, either || forward.retry() != null);
    }
}
