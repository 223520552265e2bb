package io.parley.proxy.http2;

import io.netty.util.AsciiString;
import io.parley.proxy.http1.OriginFields;
import io.parley.proxy.http1.TrailerFields;
import io.parley.wire.http.Field;
import io.parley.wire.http.Field.Fault;
import io.parley.wire.http.Fields;
import io.parley.wire.http.Octets;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with a head (RFC 9113 sections 8.2 and 8.3). HTTP/2 carries any bytes; written as HTTP/1 some of them would be
 * another message (section 10.3). What is wrong with a field by itself was found when it was read.
 */
final class HeadCheck {
    private static final AsciiString LENGTH = AsciiString.cached("content-length");
    private static final AsciiString COOKIE = AsciiString.cached("cookie");
    private static final AsciiString HOST = AsciiString.cached("host");
    private static final AsciiString TE = AsciiString.cached("te");
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");
    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");
    private static final AsciiString CONNECT = AsciiString.cached("CONNECT");
    private static final AsciiString OPTIONS = AsciiString.cached("OPTIONS");
    private static final AsciiString ASTERISK = AsciiString.cached("*");
    private static final AsciiString CONNECTION = AsciiString.cached("connection");
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final AsciiString PROXY_CONNECTION = AsciiString.cached("proxy-connection");
    private static final AsciiString TRANSFER_ENCODING = AsciiString.cached("transfer-encoding");
    private static final AsciiString UPGRADE = AsciiString.cached("upgrade");

    /** A long content-length still is a number. */
    private static final int MAX_DIGITS = 18;

    private static final long NONE = -1;

    /** Where fields stand. */
    private enum Place {
        REQUEST,
        REQUEST_TRAILERS,
        /** Of a client whose word counts. */
        BELIEVED,
        ANSWER,
        ANSWER_TRAILERS;

        boolean refusesUnderscores(AsciiString name) {
            return switch (this) {
                case REQUEST, REQUEST_TRAILERS -> true;
                case BELIEVED -> OriginFields.mayPass(name);
                case ANSWER, ANSWER_TRAILERS -> false;
            };
        }

        /** A bit for each pseudo-field that may stand here; 0 for others. */
        int bit(AsciiString name) {
            return switch (this) {
                case REQUEST, BELIEVED -> requestBit(name);
                case ANSWER -> name.contentEquals(Fields.STATUS) ? 1 : 0;
                case REQUEST_TRAILERS, ANSWER_TRAILERS -> 0;
            };
        }

        private static int requestBit(AsciiString name) {
            if (name.contentEquals(Fields.METHOD)) {
                return 1;
            }
            if (name.contentEquals(Fields.PATH)) {
                return 2;
            }
            if (name.contentEquals(Fields.SCHEME)) {
                return 4;
            }
            if (name.contentEquals(Fields.AUTHORITY)) {
                return 8;
            }
            return name.contentEquals(Fields.PROTOCOL) ? 16 : 0;
        }
    }

    private HeadCheck() {}

    /** What is wrong with a request; null if nothing is. */
    static @Nullable String request(Fields head, int maxFields, boolean believed) {
        String flaw = fields(head, maxFields, believed ? Place.BELIEVED : Place.REQUEST);
        if (flaw != null) {
            return flaw;
        }
        AsciiString method = head.method();
        if (method == null || !Octets.isToken(method)) {
            return "method";
        }
        boolean extended = head.contains(Fields.PROTOCOL);
        // In small letters it is another method, which a server of HTTP/1 may take for this one.
        if (extended ? !method.contentEquals(CONNECT) : method.contentEqualsIgnoreCase(CONNECT)) {
            return "connect";
        }
        // What comes through a tunnel is no content, and has no length.
        if (extended && head.contains(LENGTH)) {
            return "connect";
        }
        if (!isScheme(head.scheme())) {
            return "scheme";
        }
        return isPath(method, head.path()) ? host(head) : "target";
    }

    private static boolean isScheme(@Nullable AsciiString scheme) {
        return scheme != null && (scheme.contentEquals(HTTP) || scheme.contentEquals(HTTPS));
    }

    private static boolean isPath(AsciiString method, @Nullable AsciiString path) {
        if (path == null || path.isEmpty() || !Octets.isTarget(path)) {
            return false;
        }
        return path.byteAt(0) == '/' || (path.contentEquals(ASTERISK) && method.contentEquals(OPTIONS));
    }

    private static @Nullable String host(Fields head) {
        AsciiString authority = head.authority();
        if (authority != null && !Octets.isAuthority(authority)) {
            return "host";
        }
        AsciiString host = head.value(HOST);
        if (host == null) {
            return null;
        }
        if (head.values(HOST).size() > 1 || (authority != null && !host.contentEquals(authority))) {
            return "host-twice";
        }
        return Octets.isAuthority(host) ? null : "host";
    }

    /** What is wrong with the trailers of a request; null if nothing is. */
    static @Nullable String trailers(Fields trailers, int maxFields) {
        String flaw = fields(trailers, maxFields, Place.REQUEST_TRAILERS);
        if (flaw != null) {
            return flaw;
        }
        for (int i = 0; i < trailers.size(); i++) {
            if (!TrailerFields.OF_REQUESTS.allow(trailers.at(i).name().toString())) {
                return "trailer";
            }
        }
        return null;
    }

    /** What is wrong with the head of an answer; null if nothing is. */
    static @Nullable String answer(Fields head, int maxFields) {
        AsciiString status = head.status();
        if (status == null || !isStatus(status)) {
            return "status";
        }
        return fields(head, maxFields, Place.ANSWER);
    }

    /** What is wrong with the trailers of an answer; null if nothing is. */
    static @Nullable String answerTrailers(Fields trailers, int maxFields) {
        return fields(trailers, maxFields, Place.ANSWER_TRAILERS);
    }

    private static boolean isStatus(AsciiString text) {
        return text.length() == 3
                && text.byteAt(0) >= '1'
                && text.byteAt(0) <= '9'
                && isDigit(text.byteAt(1))
                && isDigit(text.byteAt(2));
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** What is wrong with fields, wherever they stand; null if nothing is. */
    private static @Nullable String fields(Fields head, int maxFields, Place place) {
        if (head.size() > maxFields && head.size() - crumbs(head) > maxFields) {
            return "too-many-fields";
        }
        int seen = 0;
        boolean lengthSeen = false;
        for (int i = 0; i < head.size(); i++) {
            Field field = head.at(i);
            String flaw = field.fault() == null ? null : word(field.fault(), field.name(), place);
            if (flaw != null) {
                return flaw;
            }
            if (field.isPseudo()) {
                int bit = place.bit(field.name());
                if (bit == 0 || (seen & bit) != 0) {
                    return "pseudo-field";
                }
                seen |= bit;
            } else if (field.is(LENGTH)) {
                if (lengthSeen || !isLength(field.value())) {
                    return "content-length";
                }
                lengthSeen = true;
            } else if (isForOneHop(field)) {
                return "connection-field";
            }
        }
        return null;
    }

    /**
     * How many fields there are beyond one for the cookie that they become (RFC 9113 8.2.3): browsers send a field for each cookie. What
     * all of them may weigh is limited as they come.
     */
    private static int crumbs(Fields head) {
        int cookies = 0;
        for (int i = 0; i < head.size(); i++) {
            cookies += head.at(i).is(COOKIE) ? 1 : 0;
        }
        return Math.max(0, cookies - 1);
    }

    private static @Nullable String word(Fault fault, AsciiString name, Place place) {
        return switch (fault) {
            case NAME -> "field-name";
            case VALUE -> "field-value";
            case UNDERSCORE -> place.refusesUnderscores(name) ? "underscore" : null;
        };
    }

    /** RFC 9113 8.2.2: what is about a connection of HTTP/1 has no place here; TE may say that trailers are taken. */
    private static boolean isForOneHop(Field field) {
        AsciiString name = field.name();
        return switch (name.length()) {
            case 2 -> name.contentEquals(TE) && !field.value().contentEqualsIgnoreCase(TRAILERS);
            case 7 -> name.contentEquals(UPGRADE);
            case 10 -> name.contentEquals(CONNECTION) || name.contentEquals(KEEP_ALIVE);
            case 16 -> name.contentEquals(PROXY_CONNECTION);
            case 17 -> name.contentEquals(TRANSFER_ENCODING);
            default -> false;
        };
    }

    private static boolean isLength(AsciiString text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isDigit(text.byteAt(i))) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MAX_DIGITS;
    }

    /** How much content a head that was looked at announces; -1 if it does not say. */
    static long length(Fields head) {
        AsciiString text = head.value(LENGTH);
        return text == null ? NONE : text.parseLong();
    }
}
