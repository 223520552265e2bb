package io.parley.identity.certificate;

import java.net.URI;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The name of a workload in certificates: {@code spiffe://mesh/service}. Only the form that the mesh issues is legal: a lower-case
 * trust domain and a path of plain segments, no port, query, user or percent-encoding, so that two names are equal exactly when
 * their texts are (SPIFFE-ID 2.1-2.4).
 */
public record SpiffeId(String trustDomain, String path) {
    private static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9][a-z0-9._-]{0,254}");
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");
    private static final int MAX_LENGTH = 2048;
    private static final int URI_NAME = 6;
    private static final String SCHEME = "spiffe://";

    public SpiffeId {
        if (!TRUST_DOMAIN.matcher(trustDomain).matches()) {
            throw new IllegalArgumentException(
                    "trust domain: " + trustDomain + " (expected: lower-case letters, digits, '.', '-', '_')");
        }
        if (!PATH.matcher(path).matches() || hasDotSegment(path) || path.length() > MAX_LENGTH - 300) {
            throw new IllegalArgumentException(
                    "path: " + path + " (expected: /segment[/segment…] of letters, digits, '.', '-', '_')");
        }
    }

    public static SpiffeId ofService(String mesh, String service) {
        return new SpiffeId(mesh, "/" + service);
    }

    /** What {@link #ofService} was given. */
    public String service() {
        return path.substring(1);
    }

    public static SpiffeId parse(String text) {
        int slash = text.startsWith(SCHEME) ? text.indexOf('/', SCHEME.length()) : -1;
        if (slash < 0) {
            throw new IllegalArgumentException("SPIFFE id: " + text + " (expected: spiffe://trust-domain/path)");
        }
        return new SpiffeId(text.substring(SCHEME.length(), slash), text.substring(slash));
    }

    /**
     * The names in a certificate, at least one. X509-SVID (section 2) has exactly one; a workload that stands for several services of a
     * mesh has one for each, in their order, as in Kuma. URIs of another kind, and names of two trust domains, are refused.
     */
    public static List<SpiffeId> allIn(X509Certificate certificate) {
        List<SpiffeId> names = uris(certificate).stream().map(SpiffeId::parse).toList();
        if (names.stream().map(SpiffeId::trustDomain).distinct().count() != 1) {
            throw new IllegalArgumentException(
                    "certificate with the names " + names + " (expected: spiffe://…, all of one trust domain)");
        }
        return names;
    }

    private static List<String> uris(X509Certificate certificate) {
        List<String> uris = new ArrayList<>();
        try {
            var names = certificate.getSubjectAlternativeNames();
            if (names != null) {
                names.stream()
                        .filter(name -> name.getFirst().equals(URI_NAME))
                        .forEach(name -> uris.add((String) name.get(1)));
            }
        } catch (CertificateParsingException e) {
            throw new IllegalArgumentException("certificate with unreadable alternative names", e);
        }
        return uris;
    }

    public URI uri() {
        return URI.create(toString());
    }

    private static boolean hasDotSegment(String path) {
        return (path + "/").contains("/./") || (path + "/").contains("/../");
    }

    @Override
    public String toString() {
        return SCHEME + trustDomain + path;
    }
}
