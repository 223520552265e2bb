package io.parley.proxy.http1;

import java.util.Set;

/**
 * What may come after the content (RFC 9110 6.5.1). A field about framing, about where a message goes or who sent it must have been
 * seen before: a server that adds trailers to the head would take what nobody has looked at.
 */
public enum TrailerFields {
    OF_REQUESTS,
    OF_ANSWERS;

    private static final Set<String> REFUSED = Set.of(
            "content-length",
            "transfer-encoding",
            "host",
            "connection",
            "content-encoding",
            "content-type",
            "content-range",
            "trailer",
            "authorization",
            "cookie",
            "set-cookie",
            "te",
            "upgrade");

    /** Whether a field, whose name is in lower case, may be among them. */
    public boolean allow(String name) {
        return !REFUSED.contains(name) && (this == OF_ANSWERS || (name.indexOf('_') < 0 && !OriginFields.tells(name)));
    }
}
