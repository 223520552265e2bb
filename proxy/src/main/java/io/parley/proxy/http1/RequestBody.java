package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.proxy.exchange.Exchange;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** Passes the body of a request on as it comes, with its framing or without. */
final class RequestBody {
    private final Incoming held;
    private final Exchange exchange;
    private final Body body = new Body(TrailerFields.OF_REQUESTS);

    RequestBody(Incoming held, Exchange exchange) {
        this.held = held;
        this.exchange = exchange;
    }

    void frame(RequestHead head) {
        if (head.isChunked()) {
            body.chunked();
        } else {
            body.length(Math.max(0, head.contentLength()));
        }
    }

    /** There is none, as there is no request. */
    void none() {
        body.none();
    }

    boolean isNone() {
        return body.framing() == Body.Framing.NONE;
    }

    /** Bytes of content so far. */
    long received() {
        return body.received();
    }

    boolean isComplete() {
        return body.isComplete();
    }

    /** Passes the first part: with the head if that goes as it is, in one piece. Says what is wrong with it; null if nothing is. */
    @Nullable
    Flaw passFirst(int headLength, long limit) {
        if (!exchange.isWire()) {
            held.skip(headLength);
            return held.isEmpty() || body.isComplete() ? null : pass(limit);
        }
        ByteBuf in = held.bytes();
        int taken = body.take(in, in.readerIndex() + headLength, in.writerIndex());
        if (taken < 0) {
            return body.flaw();
        }
        if (isOver(limit)) {
            return Flaw.BODY_TOO_LARGE;
        }
        exchange.wire(held.take(headLength + taken), body.isComplete());
        return null;
    }

    /** Passes what has come. A limit of 0 is none. */
    @Nullable
    Flaw pass(long limit) {
        boolean framed = exchange.passesFraming();
        ByteBuf in = held.bytes();
        int taken = framed
                ? body.take(in, in.readerIndex(), in.writerIndex())
                : body.take(in, in.readerIndex(), in.writerIndex(), this::content);
        if (taken < 0) {
            return body.flaw();
        }
        if (isOver(limit)) {
            return Flaw.BODY_TOO_LARGE;
        }
        boolean last = body.isComplete();
        if (exchange.isWire()) {
            exchange.wire(held.take(taken), last);
        } else if (framed) {
            exchange.data(held.take(taken), last);
        } else {
            held.skip(taken);
            if (last) {
                end();
            }
        }
        return null;
    }

    private boolean isOver(long limit) {
        return limit > 0 && body.received() > limit;
    }

    private void content(ByteBuf in, int at, int length) {
        exchange.data(in.retainedSlice(at, length), false);
    }

    private void end() {
        Fields trailers = body.framing() == Body.Framing.CHUNKED ? body.trailers() : null;
        if (trailers == null) {
            exchange.data(Unpooled.EMPTY_BUFFER, true);
        } else {
            exchange.trailers(trailers);
        }
    }

    /** What the client says in a tunnel ends here; the server may still have something to say. */
    void passEnd() {
        exchange.data(Unpooled.EMPTY_BUFFER, true);
        exchange.flush();
    }
}
