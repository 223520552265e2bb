package io.parley.control.model;

import io.parley.identity.certificate.SpiffeId;
import java.util.Locale;
import java.util.Optional;

/** Who a proxy is to others, and the name by which TLS asks for it. The authority signs what is said here and nothing else. */
public final class Identities {
    private Identities() {}

    /** {@code spiffe://MESH/SERVICE}, or nothing if the names cannot be written so. */
    public static Optional<SpiffeId> of(String mesh, String service) {
        try {
            return Optional.of(SpiffeId.ofService(mesh, service));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /**
     * What a client asks for in the TLS handshake, which tells it from a handshake with the application itself; a proxy works
     * out its own in the same way from its certificate. Zone ingresses pass connections on by it.
     */
    public static String serverName(String mesh, String service) {
        return hostLike(service) + "." + hostLike(mesh);
    }

    /** TLS libraries take host names only; a service tag such as web_default_svc_80 is none. */
    private static String hostLike(String text) {
        String name = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        return name.replaceAll("^[-.]+|[-.]+$", "").replaceAll("[.][-.]+|-[.]", ".");
    }
}
