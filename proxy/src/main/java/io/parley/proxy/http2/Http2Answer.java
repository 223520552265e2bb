package io.parley.proxy.http2;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.http1.WebSocketKey;
import io.parley.proxy.pool.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of an answer over HTTP/2.
 *
 * @param webSocketKey what a client of HTTP/1 sent when it asked for a WebSocket; null if none was asked for
 */
record Http2Answer(Http2Headers head, @Nullable String webSocketKey) implements Answer {
    private static final AsciiString SWITCHING = new AsciiString("101");
    private static final AsciiString ACCEPT = new AsciiString("sec-websocket-accept");

    private int written() {
        CharSequence status = head.status();
        return status == null ? 0 : AsciiString.of(status).parseInt();
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
        List<CharSequence> values = head.getAll(new AsciiString(name));
        return values.isEmpty() ? null : String.join(",", values);
    }

    @Override
    public Http2Headers model() {
        if (webSocketKey != null && written() == 200) {
            head.status(SWITCHING);
            head.set(ACCEPT, new AsciiString(WebSocketKey.answer(webSocketKey)));
        }
        return head;
    }

    @Override
    public boolean isPlain() {
        return false;
    }
}
