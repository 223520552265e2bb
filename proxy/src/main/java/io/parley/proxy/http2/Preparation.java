package io.parley.proxy.http2;

import io.netty.util.AsciiString;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http1.Flaw;
import io.parley.proxy.http1.OriginFields;
import io.parley.proxy.route.PathNormal;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** Makes of the head of a request what everybody is to see: routes and rules must not look at anything that the server will not. */
final class Preparation {
    private static final AsciiString HOST = AsciiString.cached("host");

    private Preparation() {}

    /**
     * Takes out what only looks as if it were known.
     *
     * @param believed whether what the client says about where it comes from counts
     * @param scheme how it reached this proxy: what it says about that counts no more than its other words
     */
    static void clean(Fields head, boolean believed, String scheme) {
        AsciiString host = head.value(HOST);
        if (host != null) {
            head.remove(HOST);
            head.set(Fields.AUTHORITY, host);
        }
        AsciiString said = head.scheme();
        if (!believed && said != null && !said.contentEquals(scheme)) {
            head.set(Fields.SCHEME, new AsciiString(scheme));
        }
        head.removeIf(OriginFields::identifies);
    }

    /** Brings the path into the form in which everybody is to see it. Says why the request is refused; null if it is not. */
    static @Nullable Flaw normalise(Fields head, HttpConfig config) {
        AsciiString path = head.path();
        if (path == null) {
            throw new IllegalStateException("a request without a path was taken");
        }
        long most = config.limits().body();
        if (path.length() > config.limits().line()) {
            return Flaw.LINE_TOO_LONG;
        }
        if (most > 0 && HeadCheck.length(head) > most) {
            return Flaw.BODY_TOO_LARGE;
        }
        // The asterisk of OPTIONS is no path.
        return config.paths() == PathHandling.NORMALISED && path.byteAt(0) == '/' ? normalise(head, path) : null;
    }

    private static @Nullable Flaw normalise(Fields head, AsciiString path) {
        String written = path.toString();
        String normal = PathNormal.of(written);
        if (normal == null) {
            return Flaw.PATH;
        }
        if (!normal.equals(written)) {
            head.set(Fields.PATH, new AsciiString(normal));
        }
        return null;
    }
}
