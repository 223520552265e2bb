package io.parley.control.snapshot;

import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.control.model.DataSource;
import io.parley.control.model.ExternalService;
import io.parley.identity.certificate.Pem;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The certificates and keys with which a proxy speaks TLS with what is outside the mesh. Only proxies that call it get them. */
final class ExternalSecrets {
    private final SecretTexts texts;
    private final List<Secret> secrets = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    ExternalSecrets(SecretTexts texts) {
        this.texts = texts;
    }

    /** What the authorities of an external service are called. */
    static String authorities(ExternalService external) {
        return "external:" + external.name() + ":authorities";
    }

    /** What the certificate that is shown to it is called. */
    static String certificate(ExternalService external) {
        return "external:" + external.name() + ":certificate";
    }

    List<Secret> secrets() {
        return secrets;
    }

    /** What is missing or cannot be read, for people. */
    List<String> problems() {
        return problems;
    }

    void add(ExternalService external) {
        ExternalService.Tls tls = external.tls();
        if (tls == null) {
            return;
        }
        DataSource believed = tls.authorities();
        DataSource shown = tls.certificate();
        DataSource key = tls.key();
        if (believed != null) {
            attempt(external, "caCert", () -> secrets.add(authorities(external, believed)));
        }
        if (shown != null && key != null) {
            attempt(external, "clientCert", () -> secrets.add(certificate(external, shown, key)));
        }
    }

    private void attempt(ExternalService external, String field, Runnable making) {
        try {
            making.run();
        } catch (IllegalArgumentException e) {
            problems.add("ExternalService/" + external.name() + " networking.tls." + field + ": " + e.getMessage());
        }
    }

    private Secret authorities(ExternalService external, DataSource source) {
        String pem = text(external, source);
        List<X509Certificate> _ = Pem.certificates(pem);
        Secret.Builder secret = Secret.newBuilder().setName(authorities(external));
        secret.getValidationContextBuilder().getTrustedCaBuilder().setInlineString(pem);
        return secret.build();
    }

    private Secret certificate(ExternalService external, DataSource certificate, DataSource key) {
        String chain = text(external, certificate);
        String own = text(external, key);
        List<X509Certificate> _ = Pem.certificates(chain);
        PrivateKey _ = Pem.privateKey(own);
        Secret.Builder secret = Secret.newBuilder().setName(certificate(external));
        secret.getTlsCertificateBuilder().getCertificateChainBuilder().setInlineString(chain);
        secret.getTlsCertificateBuilder().getPrivateKeyBuilder().setInlineString(own);
        return secret.build();
    }

    private String text(ExternalService external, DataSource source) {
        return switch (source) {
            case DataSource.Inline(String text) -> text;
            case DataSource.InSecret(String name) ->
                texts.find(external.mesh(), name)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "secret " + name + " (expected: a Secret of the mesh " + external.mesh() + ")"));
        };
    }
}
