package io.parley.wire.hpack;

import io.netty.util.AsciiString;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;

/** The table that everybody knows (RFC 7541 appendix A). */
final class StaticTable {
    private static final Field[] ENTRIES = {
        entry(Fields.AUTHORITY, ""),
        entry(Fields.METHOD, "GET"),
        entry(Fields.METHOD, "POST"),
        entry(Fields.PATH, "/"),
        entry(Fields.PATH, "/index.html"),
        entry(Fields.SCHEME, "http"),
        entry(Fields.SCHEME, "https"),
        entry(Fields.STATUS, "200"),
        entry(Fields.STATUS, "204"),
        entry(Fields.STATUS, "206"),
        entry(Fields.STATUS, "304"),
        entry(Fields.STATUS, "400"),
        entry(Fields.STATUS, "404"),
        entry(Fields.STATUS, "500"),
        entry("accept-charset"),
        entry(AsciiString.cached("accept-encoding"), "gzip, deflate"),
        entry("accept-language"),
        entry("accept-ranges"),
        entry("accept"),
        entry("access-control-allow-origin"),
        entry("age"),
        entry("allow"),
        entry("authorization"),
        entry("cache-control"),
        entry("content-disposition"),
        entry("content-encoding"),
        entry("content-language"),
        entry("content-length"),
        entry("content-location"),
        entry("content-range"),
        entry("content-type"),
        entry("cookie"),
        entry("date"),
        entry("etag"),
        entry("expect"),
        entry("expires"),
        entry("from"),
        entry("host"),
        entry("if-match"),
        entry("if-modified-since"),
        entry("if-none-match"),
        entry("if-range"),
        entry("if-unmodified-since"),
        entry("last-modified"),
        entry("link"),
        entry("location"),
        entry("max-forwards"),
        entry("proxy-authenticate"),
        entry("proxy-authorization"),
        entry("range"),
        entry("referer"),
        entry("refresh"),
        entry("retry-after"),
        entry("server"),
        entry("set-cookie"),
        entry("strict-transport-security"),
        entry("transfer-encoding"),
        entry("user-agent"),
        entry("vary"),
        entry("via"),
        entry("www-authenticate")
    };

    static final int LENGTH = ENTRIES.length;

    private StaticTable() {}

    private static Field entry(String name) {
        return entry(AsciiString.cached(name), "");
    }

    private static Field entry(AsciiString name, String value) {
        return Field.of(name, AsciiString.cached(value));
    }

    /** From 1 on, as they are counted on the wire. */
    static Field at(int index) {
        return ENTRIES[index - 1];
    }
}
