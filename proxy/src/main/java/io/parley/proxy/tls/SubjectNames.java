package io.parley.proxy.tls;

import io.parley.proxy.config.UpstreamTls.Name;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The alternative names in a certificate. */
final class SubjectNames {
    private static final int DNS = 2;
    private static final int URI = 6;

    private SubjectNames() {}

    /** Whether a certificate is for this name. */
    static boolean has(X509Certificate certificate, Name name) {
        if (name instanceof Name.Any) {
            return true;
        }
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null && names.stream().anyMatch(entry -> is(entry, name));
        } catch (CertificateParsingException e) {
            return false;
        }
    }

    private static boolean is(List<?> entry, Name name) {
        String value = String.valueOf(entry.get(1));
        return switch (name) {
            case Name.Dns(var host) -> entry.get(0).equals(DNS) && covers(lower(value), lower(host));
            case Name.Uri(var uri) -> entry.get(0).equals(URI) && value.equals(uri);
            case Name.Any() -> true;
        };
    }

    /** RFC 9525 6.3: a star stands for one whole label, the leftmost. */
    private static boolean covers(String pattern, String host) {
        if (!pattern.startsWith("*.")) {
            return pattern.equals(host);
        }
        int dot = host.indexOf('.');
        return dot > 0 && host.substring(dot).equals(pattern.substring(1));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
