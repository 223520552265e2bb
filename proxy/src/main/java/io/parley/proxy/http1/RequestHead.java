package io.parley.proxy.http1;

import io.netty.util.AsciiString;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.route.PathNormal;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import io.parley.wire.http.Octets;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The head of a request, read strictly. */
final class RequestHead extends HeadScanner implements RequestView {
    private static final String SCHEME_PREFIX = "http://";
    private static final String TLS_SCHEME_PREFIX = "https://";

    private static final Field CONNECT = method("CONNECT");
    private static final List<Field> USUAL_METHODS = Stream.of(
                    "GET", "POST", "PUT", "HEAD", "DELETE", "PATCH", "OPTIONS")
            .map(RequestHead::method)
            .toList();
    private static final Field HTTP = Field.of(Fields.SCHEME, AsciiString.cached("http"));
    private static final Field HTTPS = Field.of(Fields.SCHEME, AsciiString.cached("https"));
    private static final Field WEBSOCKET = Field.of(Fields.PROTOCOL, AsciiString.cached("websocket"));
    private static final Field CHUNKED = Field.of(HeadWriter.CODING, HeadWriter.CHUNKED);

    private int methodEnd;
    private int targetStart;
    private int targetEnd;
    private int minor;
    private int hostStart;
    private int hostEnd;
    private boolean hasHost;
    private boolean unusualPath;
    private boolean absolute;
    private @Nullable String target;
    private String authority = "";
    private Provenance provenance = Provenance.of(new InetSocketAddress(0), "http");
    private boolean changedTarget;
    private boolean believed;

    RequestHead(HttpLimits limits) {
        super(limits);
    }

    private static Field method(String name) {
        return Field.of(Fields.METHOD, AsciiString.cached(name));
    }

    @Override
    int firstLine(int limit) {
        methodEnd = 0;
        targetStart = 0;
        targetEnd = 0;
        hasHost = false;
        unusualPath = false;
        absolute = false;
        changedTarget = false;
        target = null;
        authority = "";
        int at = 0;
        while (Octets.isToken(bytes[at])) {
            at++;
        }
        if (at == 0 || bytes[at] != Octets.SPACE) {
            return bad(Flaw.METHOD);
        }
        methodEnd = at++;
        targetStart = at;
        while (Octets.isTarget(bytes[at])) {
            if (bytes[at] == '%' || bytes[at] == '\\' || (bytes[at] == '/' && isUnusual(bytes[at + 1]))) {
                unusualPath = true;
            }
            at++;
        }
        targetEnd = at;
        if (at == targetStart || bytes[at] != Octets.SPACE) {
            return bad(at - targetStart >= limits.line() ? Flaw.LINE_TOO_LONG : Flaw.TARGET);
        }
        return version(at + 1);
    }

    private static boolean isUnusual(byte next) {
        return next == '/' || next == '.';
    }

    private int version(int at) {
        if (!Octets.startsWith(bytes, at, at + 8, "http/1.")
                || bytes[at] != 'H'
                || bytes[at + 1] != 'T'
                || bytes[at + 2] != 'T'
                || bytes[at + 3] != 'P') {
            return bad(Flaw.VERSION);
        }
        minor = bytes[at + 7] - '0';
        if ((minor != 0 && minor != 1) || bytes[at + 8] != Octets.CR || bytes[at + 9] != Octets.LF) {
            return bad(minor == 0 || minor == 1 ? Flaw.REQUEST_LINE : Flaw.VERSION);
        }
        if (at + 8 > limits.line()) {
            return bad(Flaw.LINE_TOO_LONG);
        }
        return at + 10;
    }

    @Override
    boolean noticed(int name, int nameEnd, int value, int valueEnd) {
        if (hasUnderscore(name, nameEnd) && !mayHaveUnderscore(name, nameEnd)) {
            return bad(Flaw.UNDERSCORE) > 0;
        }
        switch (bytes[name] | 0x20) {
            case 'h' -> {
                if (Octets.isText(bytes, name, nameEnd, "host")) {
                    return host(value, valueEnd);
                }
            }
            case 'e' -> {
                if (Octets.isText(bytes, name, nameEnd, "expect")) {
                    flag(EXPECT);
                    return Octets.isText(bytes, value, valueEnd, "100-continue") || bad(Flaw.EXPECTATION) > 0;
                }
            }
            case 'f', 'x', 'l' -> {
                if (OriginFields.tells(bytes, name, nameEnd)) {
                    flag(OriginFields.identifies(bytes, name, nameEnd) ? FORWARDED | IDENTITY : FORWARDED);
                }
            }
            default -> {}
        }
        return true;
    }

    private boolean hasUnderscore(int name, int nameEnd) {
        for (int i = name; i < nameEnd; i++) {
            if (bytes[i] == '_') {
                return true;
            }
        }
        return false;
    }

    private boolean mayHaveUnderscore(int name, int nameEnd) {
        return believed && !OriginFields.mayPass(new AsciiString(bytes, name, nameEnd - name, true));
    }

    private boolean host(int value, int valueEnd) {
        if (hasHost) {
            return bad(Flaw.HOST_TWICE) > 0;
        }
        hasHost = true;
        hostStart = value;
        hostEnd = valueEnd;
        for (int i = value; i < valueEnd; i++) {
            if (!Octets.isTarget(bytes[i]) || "/?@\\,\"".indexOf(bytes[i]) >= 0) {
                return bad(Flaw.HOST) > 0;
            }
        }
        return true;
    }

    @Override
    boolean check() {
        if (!hasHost && minor == 1) {
            return bad(Flaw.HOST_MISSING) > 0;
        }
        if (isChunked() && minor == 0) {
            return bad(Flaw.CODING_IN_1_0) > 0;
        }
        if (Octets.isText(bytes, 0, methodEnd, "connect")) {
            return bad(Flaw.CONNECT) > 0;
        }
        if (bytes[targetStart] == '/') {
            return true;
        }
        if (targetEnd - targetStart == 1 && bytes[targetStart] == '*') {
            return isMethod("OPTIONS") || bad(Flaw.TARGET) > 0;
        }
        return absoluteForm();
    }

    /** RFC 9112 3.2.2: what the target names counts, and the Host field is replaced by it. */
    private boolean absoluteForm() {
        String prefix =
                Octets.startsWith(bytes, targetStart, targetEnd, SCHEME_PREFIX) ? SCHEME_PREFIX : TLS_SCHEME_PREFIX;
        if (!Octets.startsWith(bytes, targetStart, targetEnd, prefix)) {
            return bad(Flaw.TARGET) > 0;
        }
        int from = targetStart + prefix.length();
        int slash = from;
        while (slash < targetEnd && bytes[slash] != '/' && bytes[slash] != '?') {
            if ("@\\,\"".indexOf(bytes[slash]) >= 0) {
                return bad(Flaw.TARGET) > 0;
            }
            slash++;
        }
        if (slash == from) {
            return bad(Flaw.TARGET) > 0;
        }
        absolute = true;
        authority = text(from, slash);
        String rest = text(slash, targetEnd);
        target = rest.startsWith("/") ? rest : "/" + rest;
        return true;
    }

    /** Makes it one that can be served under this configuration; false if it has a {@link #flaw}. */
    boolean fits(HttpConfig config) {
        long mostContent = config.limits().body();
        if (mostContent > 0 && contentLength() > mostContent) {
            return bad(Flaw.BODY_TOO_LARGE) > 0;
        }
        if (isWebSocket() && !isWebSocketValid()) {
            return bad(Flaw.UPGRADE) > 0;
        }
        return normalise(config.paths());
    }

    /** Brings the path into the form in which everybody is to see it; false if it is one that is refused. */
    boolean normalise(PathHandling handling) {
        if (handling == PathHandling.UNTOUCHED || !unusualPath) {
            return true;
        }
        String written = target();
        String normal = PathNormal.of(written);
        if (normal == null) {
            return bad(Flaw.PATH) > 0;
        }
        changedTarget = !normal.equals(written);
        target = normal;
        return true;
    }

    /** Whether the head may pass byte by byte: nothing in it is for this hop only, nothing in it was changed. */
    boolean isPlain(boolean believed) {
        return minor == 1 && !absolute && !changedTarget && !is(HOP) && !is(IDENTITY) && (believed || !is(FORWARDED));
    }

    boolean isHttp10() {
        return minor == 0;
    }

    /** Whether the client wants to go on with the connection after this. */
    boolean isKeptAlive() {
        return minor == 1 ? !is(CLOSE) : is(KEEP_ALIVE) && !is(CLOSE);
    }

    @Override
    public boolean isMethod(String name) {
        if (methodEnd != name.length()) {
            return false;
        }
        for (int i = 0; i < methodEnd; i++) {
            if (bytes[i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String method() {
        return text(0, methodEnd);
    }

    @Override
    public String scheme() {
        return provenance.scheme();
    }

    @Override
    public Provenance provenance() {
        return provenance;
    }

    /** Before anybody else looks at a head. */
    void comesFrom(Provenance now) {
        provenance = now;
    }

    /** Before it is scanned: who sends it, and whether its word counts. */
    void comesBy(Connection connection, HttpConfig config) {
        provenance = connection.provenance();
        believed = connection.isBelieved(config.forwarding());
    }

    boolean isBelieved() {
        return believed;
    }

    @Override
    public String authority() {
        if (authority.isEmpty() && hasHost) {
            authority = text(hostStart, hostEnd);
        }
        return authority;
    }

    @Override
    public String target() {
        if (target == null) {
            target = text(targetStart, targetEnd);
        }
        return target;
    }

    /** What nobody behind will see nobody here does: rules and routes would believe what anybody can write. */
    @Override
    public @Nullable String field(String name) {
        return is(IDENTITY) && OriginFields.identifies(new AsciiString(name)) ? null : super.field(name);
    }

    /** Whether a WebSocket is asked for (RFC 6455 section 4.1); any other upgrade is passed over, and all in HTTP/1.0 (RFC 9110 7.8). */
    boolean isWebSocket() {
        return minor == 1 && is(UPGRADE) && is(CONNECTION_UPGRADE) && "websocket".equalsIgnoreCase(field("upgrade"));
    }

    /** Whether the handshake of a WebSocket is as it must be. */
    boolean isWebSocketValid() {
        return isMethod("GET")
                && "13".equals(field("sec-websocket-version"))
                && WebSocketKey.isValid(field("sec-websocket-key"))
                && !isChunked()
                && contentLength() <= 0;
    }

    /** The whole head as a value of its own, in HTTP/2's form, without what is for this hop only. */
    Fields model(boolean keepsOrigin, boolean keepsChunks) {
        Fields model = new Fields();
        boolean webSocket = isWebSocket();
        model.add(webSocket ? CONNECT : methodField());
        model.add(scheme().equals("https") ? HTTPS : HTTP);
        if (!authority().isEmpty()) {
            model.add(Fields.AUTHORITY, absolute ? new AsciiString(authority()) : ascii(hostStart, hostEnd));
        }
        boolean asWritten = !absolute && !changedTarget;
        model.add(Fields.PATH, asWritten ? ascii(targetStart, targetEnd) : new AsciiString(target()));
        if (webSocket) {
            model.add(WEBSOCKET);
        }
        copyFields(model, keepsOrigin ? OriginFields::identifies : OriginFields::tells);
        if (isChunked() && keepsChunks) {
            model.add(CHUNKED);
        }
        return model;
    }

    private Field methodField() {
        for (Field usual : USUAL_METHODS) {
            AsciiString name = usual.value();
            int start = name.arrayOffset();
            if (Arrays.equals(bytes, 0, methodEnd, name.array(), start, start + name.length())) {
                return usual;
            }
        }
        return Field.of(Fields.METHOD, ascii(0, methodEnd));
    }
}
