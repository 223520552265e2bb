package io.parley.control.model;

import io.parley.identity.certificate.SpiffeId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Who a proxy is to others, and the name by which TLS asks for it. The authority signs what is said here and nothing else. */
public final class Identities {
    // RFC 1123 2.1: what every TLS library takes as a server name; a service tag such as web_default_svc_80 is not.
    private static final Pattern HOST_LABELS =
            Pattern.compile("(?=.{1,180}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*");

    private Identities() {}

    /** {@code spiffe://MESH/SERVICE}, or nothing if the names cannot be written so. */
    public static Optional<SpiffeId> of(String mesh, String service) {
        try {
            return Optional.of(SpiffeId.ofService(mesh, service));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** What a client asks for in the TLS handshake; zone ingresses pass connections on by it. */
    public static String serverName(String mesh, String service) {
        String lower = service.toLowerCase(Locale.ROOT);
        String host = HOST_LABELS.matcher(lower).matches() ? lower : "h" + hash(service);
        return host + "." + mesh + ".mesh";
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
