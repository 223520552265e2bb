package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.parley.wire.http.Fields;
import java.util.Objects;

/** Writes an answer that is a value, and its content, as HTTP/1.1. */
final class ResponseWriter {
    private static final AsciiString WEBSOCKET = AsciiString.cached("websocket");
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final AsciiString CLOSE = AsciiString.cached("close");

    /** What is said about the connection. */
    enum Connection {
        /** Nothing: it is kept, as HTTP/1.1 has it. */
        KEPT,

        /** That it is kept, for a client of HTTP/1.0, which asked for it. */
        KEPT_ALIVE,
        CLOSED
    }

    private boolean http10;
    private boolean toHead;
    private boolean chunking;

    /** Whether content must be ended by the end of the connection. */
    private boolean untilClose;

    /**
     * Another answer comes.
     *
     * @param toOldClient whether the client speaks HTTP/1.0
     * @param headOnly whether the request was HEAD: what is not known of the content is not said, as 0 would be wrong
     */
    void begin(boolean toOldClient, boolean headOnly) {
        http10 = toOldClient;
        toHead = headOnly;
        chunking = false;
        untilClose = false;
    }

    boolean isUntilClose() {
        return untilClose;
    }

    /** Every answer has one. */
    static int status(Fields head) {
        return Objects.requireNonNull(head.status(), "no status").parseInt();
    }

    ByteBuf head(ByteBufAllocator allocator, Fields head, boolean last, Connection connection) {
        ByteBuf out = allocator.buffer(512);
        int status = status(head);
        HeadWriter.statusLine(status, out);
        boolean bodyless = toHead || status < 200 || status == 204 || status == 304;
        boolean lengthKnown = bodyless || head.contains(HeadWriter.LENGTH);
        if (!lengthKnown && last) {
            HeadWriter.field(HeadWriter.LENGTH, HeadWriter.ZERO, out);
        } else if (!lengthKnown && http10) {
            untilClose = true;
        } else if (!lengthKnown) {
            chunking = true;
            HeadWriter.field(HeadWriter.CODING, HeadWriter.CHUNKED, out);
        }
        if (status >= 200) {
            connection(untilClose ? Connection.CLOSED : connection, out);
        }
        HeadWriter.fields(head, out);
        HeadWriter.end(out);
        return out;
    }

    private static void connection(Connection connection, ByteBuf out) {
        switch (connection) {
            case KEPT -> {}
            case KEPT_ALIVE -> HeadWriter.field(HeadWriter.CONNECTION, KEEP_ALIVE, out);
            case CLOSED -> HeadWriter.field(HeadWriter.CONNECTION, CLOSE, out);
        }
    }

    /** The answer to a WebSocket's handshake. */
    static ByteBuf switching(ByteBufAllocator allocator, Fields head) {
        ByteBuf out = allocator.buffer(256);
        HeadWriter.statusLine(101, out);
        HeadWriter.field(HeadWriter.CONNECTION, HeadWriter.UPGRADE, out);
        HeadWriter.field(HeadWriter.UPGRADE, WEBSOCKET, out);
        HeadWriter.fields(head, out);
        HeadWriter.end(out);
        return out;
    }

    ByteBuf content(ByteBufAllocator allocator, ByteBuf content, boolean last) {
        return chunking ? RequestWriter.Chunks.of(allocator, content, last) : content;
    }

    ByteBuf trailers(ByteBufAllocator allocator, Fields trailers) {
        return chunking ? RequestWriter.Chunks.end(allocator, trailers) : Unpooled.EMPTY_BUFFER;
    }
}
