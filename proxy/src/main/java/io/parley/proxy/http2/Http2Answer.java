package io.parley.proxy.http2;

import io.netty.util.AsciiString;
import io.parley.proxy.http1.WebSocketKey;
import io.parley.proxy.pool.Answer;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The head of an answer over HTTP/2.
 *
 * @param webSocketKey what a client of HTTP/1 sent when it asked for a WebSocket; null if none was asked for
 */
record Http2Answer(Fields head, @Nullable String webSocketKey) implements Answer {
    private static final AsciiString SWITCHING = new AsciiString("101");
    private static final AsciiString ACCEPT = new AsciiString("sec-websocket-accept");

    private int written() {
        AsciiString status = head.status();
        return status == null ? 0 : status.parseInt();
    }

    boolean isInterim() {
        return written() < 200;
    }

    /** Over HTTP/2 a WebSocket is granted by 200, over HTTP/1 by 101. */
    @Override
    public int status() {
        return webSocketKey != null && written() == 200 ? 101 : written();
    }

    @Override
    public @Nullable String field(String name) {
        return head.joined(name);
    }

    @Override
    public Fields model() {
        if (webSocketKey != null && written() == 200) {
            head.set(Fields.STATUS, SWITCHING);
            head.set(ACCEPT, new AsciiString(WebSocketKey.answer(webSocketKey)));
        }
        return head;
    }

    @Override
    public boolean isPlain() {
        return false;
    }
}
