package io.parley.proxy.http2;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.route.RequestView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request's head as policies and routes read it. */
record Http2View(Http2Headers head) implements RequestView {
    private static String text(@Nullable CharSequence value) {
        return value == null ? "" : value.toString();
    }

    @Override
    public String method() {
        // A WebSocket over HTTP/2 (RFC 8441) is what a GET with an Upgrade is over HTTP/1.
        return head.contains(HeadCheck.PROTOCOL) ? "GET" : text(head.method());
    }

    @Override
    public boolean isMethod(String name) {
        CharSequence method = head.method();
        return method != null && !head.contains(HeadCheck.PROTOCOL) && AsciiString.contentEquals(method, name);
    }

    @Override
    public String scheme() {
        return text(head.scheme());
    }

    @Override
    public String authority() {
        return text(head.authority());
    }

    @Override
    public String target() {
        return text(head.path());
    }

    @Override
    public @Nullable String field(String name) {
        List<CharSequence> values = head.getAll(new AsciiString(name));
        return values.isEmpty() ? null : String.join(name.equals("cookie") ? "; " : ",", values);
    }
}
