package io.parley.proxy.http1;

import io.netty.util.AsciiString;
import io.parley.wire.http.Octets;
import java.util.List;

/** The fields that tell where a request came from. Whoever is not of the mesh could write anything there. */
public final class OriginFields {
    private static final List<String> FRAMING =
            List.of("content-length", "transfer-encoding", "content-encoding", "proxy-connection", "http2-settings");

    private OriginFields() {}

    /** Whether a field of this name is one of them. */
    public static boolean tells(String name) {
        return tells(new AsciiString(name));
    }

    public static boolean tells(AsciiString name) {
        return tells(name.array(), name.arrayOffset(), name.arrayOffset() + name.length());
    }

    /** Whether a field is one of them. */
    public static boolean tells(byte[] bytes, int start, int end) {
        return Octets.startsWith(bytes, start, end, "x-forwarded-")
                || Octets.isText(bytes, start, end, "forwarded")
                || Octets.isText(bytes, start, end, "x-real-ip")
                || Octets.isText(bytes, start, end, "x-envoy-external-address")
                || identifies(bytes, start, end);
    }

    /**
     * Whether a field with underscores in its name could pass for one of them, or for one that frames a message: to servers that make
     * variables of fields, as CGI does, an underscore is a dash.
     */
    public static boolean mayPass(AsciiString name) {
        AsciiString read = name.replace('_', '-');
        return tells(read) || FRAMING.stream().anyMatch(read::contentEqualsIgnoreCase);
    }

    public static boolean identifies(AsciiString name) {
        return identifies(name.array(), name.arrayOffset(), name.arrayOffset() + name.length());
    }

    /** Whether a field is said to name who asks by its certificate. Applications believe it, and only the proxy beside them writes it: whoever else does is not to be believed, a member of the mesh neither. */
    static boolean identifies(byte[] bytes, int start, int end) {
        return Octets.startsWith(bytes, start, end, "l5d-client-")
                || Octets.isText(bytes, start, end, "x-forwarded-client-cert");
    }
}
