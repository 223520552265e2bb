package io.parley.proxy.http2;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.http1.Octets;
import io.parley.proxy.http1.TrailerFields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with a head beyond what Netty looks at. HTTP/2 carries any bytes; written as HTTP/1 some of them would be
 * another message (RFC 9113 section 10.3).
 */
final class HeadCheck {
    static final AsciiString PROTOCOL = new AsciiString(":protocol");
    private static final AsciiString HOST = new AsciiString("host");
    private static final AsciiString TE = new AsciiString("te");

    private HeadCheck() {}

    /** What is wrong with a request; null if nothing is. */
    static @Nullable String request(Http2Headers head, int maxFields) {
        CharSequence method = head.method();
        CharSequence path = head.path();
        if (method == null || !Octets.isToken(AsciiString.of(method))) {
            return "method";
        }
        if (AsciiString.contentEquals(method, "CONNECT") && !head.contains(PROTOCOL)) {
            return "connect";
        }
        boolean asterisk = path != null && AsciiString.contentEquals(path, "*");
        if (path == null
                || path.isEmpty()
                || (path.charAt(0) != '/' && !asterisk)
                || !Octets.isTarget(AsciiString.of(path))) {
            return "target";
        }
        if (asterisk && !AsciiString.contentEquals(method, "OPTIONS")) {
            return "target";
        }
        CharSequence authority = head.authority();
        CharSequence host = head.get(HOST);
        if (authority != null && !Octets.isAuthority(AsciiString.of(authority))) {
            return "host";
        }
        String flaw = host == null ? null : host(head, host, authority);
        return flaw == null ? fields(head, maxFields, Underscores.REFUSED) : flaw;
    }

    private static @Nullable String host(Http2Headers head, CharSequence host, @Nullable CharSequence authority) {
        if (head.getAll(HOST).size() > 1 || (authority != null && !AsciiString.contentEquals(host, authority))) {
            return "host-twice";
        }
        return Octets.isAuthority(AsciiString.of(host)) ? null : "host";
    }

    /** To a server that makes variables of fields, as CGI does, an underscore is a dash: one field could pass for another. */
    private enum Underscores {
        ALLOWED,
        REFUSED
    }

    /** What is wrong with the trailers of a request; null if nothing is. */
    static @Nullable String trailers(Http2Headers trailers, int maxFields) {
        String flaw = fields(trailers, maxFields, Underscores.REFUSED);
        if (flaw != null) {
            return flaw;
        }
        for (CharSequence name : trailers.names()) {
            if (name.charAt(0) == ':' || !TrailerFields.OF_REQUESTS.allow(name.toString())) {
                return "trailer";
            }
        }
        return null;
    }

    /** What is wrong with the head of an answer, or with its trailers; null if nothing is. */
    static @Nullable String answer(Http2Headers head, int maxFields) {
        CharSequence status = head.status();
        return status == null || isStatus(status) ? fields(head, maxFields, Underscores.ALLOWED) : "status";
    }

    private static boolean isStatus(CharSequence text) {
        return text.length() == 3
                && text.charAt(0) >= '1'
                && text.charAt(0) <= '9'
                && Character.isDigit(text.charAt(1))
                && Character.isDigit(text.charAt(2));
    }

    private static @Nullable String name(AsciiString name, Underscores underscores) {
        if (Octets.isTokenWithoutUnderscore(name)) {
            return null;
        }
        if (!Octets.isToken(name)) {
            return "field-name";
        }
        return underscores == Underscores.REFUSED ? "underscore" : null;
    }

    /** What is wrong with fields; null if nothing is. */
    private static @Nullable String fields(Http2Headers head, int maxFields, Underscores underscores) {
        if (head.size() > maxFields) {
            return "too-many-fields";
        }
        for (Map.Entry<CharSequence, CharSequence> field : head) {
            AsciiString name = AsciiString.of(field.getKey());
            String flaw = name.isEmpty() || name.byteAt(0) != ':' ? name(name, underscores) : null;
            if (flaw != null) {
                return flaw;
            }
            if (!Octets.isValue(AsciiString.of(field.getValue()))) {
                return "field-value";
            }
        }
        CharSequence te = head.get(TE);
        return te != null && !AsciiString.contentEqualsIgnoreCase(te, "trailers") ? "te" : null;
    }
}
