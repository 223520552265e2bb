package io.parley.proxy.http2;

import io.netty.util.AsciiString;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** A request's head as policies and routes read it. */
record Http2View(Fields head, Provenance provenance) implements RequestView {
    /** A request that came on this connection, by so many trusted proxies. */
    static Http2View of(Fields head, Provenance connection, int trustedHops) {
        Http2View bare = new Http2View(head, connection);
        return trustedHops == 0 ? bare : new Http2View(head, connection.behind(trustedHops, bare));
    }

    private static String text(@Nullable AsciiString value) {
        return value == null ? "" : value.toString();
    }

    @Override
    public String method() {
        // A WebSocket over HTTP/2 (RFC 8441) is what a GET with an Upgrade is over HTTP/1.
        return head.contains(Fields.PROTOCOL) ? "GET" : text(head.method());
    }

    @Override
    public boolean isMethod(String name) {
        AsciiString method = head.method();
        return method != null && !head.contains(Fields.PROTOCOL) && method.contentEquals(name);
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
        return head.joined(name);
    }
}
