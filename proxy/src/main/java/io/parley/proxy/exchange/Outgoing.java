package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.pool.ClientStream;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** A request on its way to a server: what was sent is kept for another try, and whoever sends it waits where nobody takes more. */
final class Outgoing {
    private final RequestSource source;
    private final Deadlines deadlines;
    private final Replay replay = new Replay();
    private @Nullable ClientStream to;
    private boolean keepsPieces;

    Outgoing(RequestSource source, Deadlines deadlines) {
        this.source = source;
        this.deadlines = deadlines;
    }

    /** Another request begins. */
    void begin() {
        replay.begin();
    }

    /** How much is kept for another try: all pieces, or one. */
    void keepsPieces(boolean all) {
        keepsPieces = all;
    }

    Replay replay() {
        return replay;
    }

    /** A server is there. */
    void goesTo(ClientStream server) {
        to = server;
    }

    boolean isUnderWay() {
        return to != null;
    }

    /** Nobody takes it any more, unless there is another try. */
    void leave() {
        to = null;
    }

    /** It has been answered to the end: nobody will take the rest of it. */
    void end() {
        to = null;
        replay.giveUp();
    }

    /** It is called off. */
    void cancel() {
        ClientStream open = to;
        to = null;
        if (open != null) {
            open.cancel();
        }
    }

    void wire(ByteBuf bytes, boolean last) {
        ClientStream server = noting(bytes, last);
        if (server != null) {
            server.wire(bytes, last);
            holdIfFull(server, last);
        }
    }

    void data(ByteBuf content, boolean last) {
        ClientStream server = noting(content, last);
        if (server != null) {
            server.data(content, last);
            holdIfFull(server, last);
        }
    }

    /** Where this goes, of which note is taken; null if it has been taken over for the next try. */
    private @Nullable ClientStream noting(ByteBuf bytes, boolean last) {
        ClientStream server = to;
        if (server == null) {
            replay.hold(bytes, last);
        } else {
            replay.keep(bytes, last, keepsPieces);
        }
        return server;
    }

    void trailers(Fields trailers) {
        replay.keep(trailers);
        if (to != null) {
            to.trailers(trailers);
        }
    }

    /** Sends again what was sent before, and then the rest as it comes. */
    void resend(ClientStream server, boolean wire) {
        replay.resend(server, wire, source.isBodyless());
        if (!replay.isComplete()) {
            goOn();
            holdIfFull(server, false);
        }
    }

    void flush() {
        if (to != null) {
            to.flush();
        }
    }

    /** Whether more of the answer is wanted now. */
    void setReading(boolean on) {
        if (to != null) {
            to.setReading(on);
        }
    }

    private void holdIfFull(ClientStream server, boolean last) {
        if (!last && !server.isWritable()) {
            server.flush();
            if (!server.isWritable()) {
                hold();
            }
        }
    }

    /** The client waits, if it has more to send: nobody takes it at the moment. */
    void holdRest() {
        if (!replay.isComplete()) {
            hold();
        }
    }

    private void hold() {
        deadlines.held(true);
        source.setReading(false);
    }

    /** More is taken again. */
    void goOn() {
        deadlines.held(false);
        source.setReading(true);
    }
}
