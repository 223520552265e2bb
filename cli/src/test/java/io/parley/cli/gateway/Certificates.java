package io.parley.cli.gateway;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.Pem;
import io.parley.identity.certificate.SpiffeId;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** An authority, and the objects in which its certificates come to a control plane. */
final class Certificates {
    private final CertificateAuthority authority =
            CertificateAuthority.create("test", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom());

    Credentials issue(String... names) {
        return authority.issueServer(List.of(names), List.of(), Duration.ofDays(1));
    }

    /** For who calls, not for who is called. */
    Credentials issueClient() {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        SpiffeId name = SpiffeId.ofService("test", "client");
        return new Credentials(
                List.of(authority.issueWorkload(name, pair.getPublic(), Duration.ofDays(1))), pair.getPrivate());
    }

    /** A ConfigMap with the authority's own certificate. */
    String configMap(String namespace, String name) {
        return """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s, namespace: %s}
            data:
              ca.crt: |
            %s\
            """.formatted(
                        name, namespace, Pem.encode(authority.certificate()).indent(4));
    }

    /** A Secret with a certificate and its key. */
    static String secret(String namespace, String name, Credentials credentials) {
        return """
            apiVersion: v1
            kind: Secret
            metadata: {name: %s, namespace: %s}
            type: kubernetes.io/tls
            stringData:
              tls.crt: |
            %s
              tls.key: |
            %s\
            """.formatted(
                        name,
                        namespace,
                        Pem.encode(credentials.chain()).indent(4),
                        Pem.encode(credentials.key()).indent(4));
    }
}
