package io.parley.proxy.http2;

import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** Whom a connection of HTTP/2 is for: a server's side or a client's. */
interface LinkOwner {
    boolean isServer();

    /**
     * Whether the streams are those of many, who must not hold each other up. What one of them has no room for counts for itself alone then,
     * and the connection goes on; else it counts for the connection as well, which bounds what one peer can have kept.
     */
    boolean isShared();

    /** What the peer is told at the beginning: names and values in turn. */
    int[] settings();

    /** How large a head may be. */
    int maxHead();

    /** How many streams a client may have open at a time. */
    int maxStreams();

    /**
     * A client begins a stream.
     *
     * @param flaw what is wrong with the order of the fields; null if nothing is
     * @return the stream, which is not open yet
     */
    Http2Stream begins(int id, Fields head, @Nullable String flaw, boolean last) throws Http2Fault;

    /** The stream that has begun is open. */
    void begun(Http2Stream stream, boolean last);

    /** The peer gives a stream up. */
    void resetCame() throws Http2Fault;

    /** A client has begun more streams beyond the limit than it is forgiven. */
    void refusedTooMany();

    /** The peer has told how many streams it takes at a time. */
    void peersStreams(int most);

    /** The peer takes WebSockets (RFC 8441). */
    void takesWebSockets();

    /** The peer has told its settings. */
    void settled();

    /** The peer leaves; it has looked at no stream of this side's beyond the last one. */
    void goneAway(int lastStream);

    /** Something has come from the peer, and has been looked at. */
    void heard();

    /** The peer has ended its output, and may still read. */
    void inputEnded();

    /** The peer did what it should not have; the connection goes on. */
    void counted(String kind);

    /** The connection ends for something that the peer did. */
    void fatal(String kind);
}
