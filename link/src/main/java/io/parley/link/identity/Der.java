package io.parley.link.identity;

import com.google.protobuf.ByteString;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Certificates as they travel. */
final class Der {
    private Der() {}

    static ByteString encoded(X509Certificate certificate) {
        try {
            return ByteString.copyFrom(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read cannot be written", e);
        }
    }

    static List<ByteString> encoded(List<X509Certificate> certificates) {
        return certificates.stream().map(Der::encoded).toList();
    }

    static List<X509Certificate> certificates(List<ByteString> der) {
        try {
            var factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> certificates = new ArrayList<>();
            for (ByteString bytes : der) {
                certificates.add(
                        (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes.toByteArray())));
            }
            return certificates;
        } catch (CertificateException e) {
            throw new IllegalArgumentException("control plane sent no certificate: " + e.getMessage(), e);
        }
    }
}
