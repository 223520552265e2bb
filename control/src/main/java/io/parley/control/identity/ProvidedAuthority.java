package io.parley.control.identity;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.control.keys.MeshSecrets;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Pem;
import io.parley.resource.mesh.Mtls;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;

/** An authority whose certificate and key somebody else made and put into the mesh, inline or as secrets. */
final class ProvidedAuthority {
    private final MeshSecrets secrets;
    private final Clock clock;
    private final SecureRandom random;

    ProvidedAuthority(MeshSecrets secrets, Clock clock, SecureRandom random) {
        this.secrets = secrets;
        this.clock = clock;
        this.random = random;
    }

    CertificateAuthority open(String mesh, Mtls.Authority backend) {
        String path = "Mesh/" + mesh + " mtls.backends[" + backend.name() + "].conf";
        JsonNode conf = backend.conf();
        if (conf == null) {
            throw new AuthorityException(path + ": missing (expected: cert and key)");
        }
        try {
            return new CertificateAuthority(
                    Pem.certificates(text(mesh, conf.path("cert"), path + ".cert"))
                            .getFirst(),
                    Pem.privateKey(text(mesh, conf.path("key"), path + ".key")),
                    clock,
                    random);
        } catch (IllegalArgumentException e) {
            throw new AuthorityException(path + ": " + e.getMessage());
        }
    }

    /** Files are not read: whoever may change a mesh would read any file of the control plane's machine. */
    private String text(String mesh, JsonNode source, String path) {
        if (source.path("inlineString").isTextual()) {
            return source.path("inlineString").asText();
        }
        if (source.path("inline").isTextual()) {
            return decoded(source.path("inline").asText());
        }
        String name = source.path("secret").asText();
        if (name.isEmpty()) {
            throw new AuthorityException(path + ": " + source + " (expected: secret, inline or inlineString)");
        }
        return secrets.find(mesh, name)
                .orElseThrow(() -> new AuthorityException(
                        path + ".secret: " + name + " (expected: a Secret of the mesh " + mesh + ")"));
    }

    private static String decoded(String base64) {
        return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
