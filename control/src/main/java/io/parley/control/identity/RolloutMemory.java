package io.parley.control.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.parley.control.keys.SealedSecrets;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Pem;
import io.parley.resource.Document;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * How far the change of a mesh's authorities had come, so that a control plane that starts in the middle of one goes on from there: members
 * that have not heard of the new authority yet would refuse those that it signs for. May block.
 */
final class RolloutMemory {
    private static final String BACKEND = "backend";
    private static final String SIGNS = "signs";
    private static final String TRUSTED = "trusted";

    private final SealedSecrets secrets;
    private final MeshAuthorities authorities;
    private final Map<String, String> written = new ConcurrentHashMap<>();

    RolloutMemory(SealedSecrets secrets, MeshAuthorities authorities) {
        this.secrets = secrets;
        this.authorities = authorities;
    }

    /** Remembers what members have been, or are about to be, told. */
    void keep(String mesh, MeshTrust now) {
        String text = JsonNodeFactory.instance
                .objectNode()
                .put(BACKEND, now.backend())
                .put(SIGNS, Pem.encode(now.signs().certificate()))
                .put(TRUSTED, Pem.encode(now.trusted()))
                .toString();
        if (!text.equals(written.get(mesh))) {
            secrets.put(name(mesh), text.getBytes(StandardCharsets.UTF_8));
            written.put(mesh, text);
        }
    }

    /** What members were told last; what the mesh says, if that is it, or if nobody was told anything. */
    MeshTrust last(String mesh, MeshTrust said) {
        Optional<JsonNode> kept =
                secrets.find(name(mesh)).map(bytes -> new Document(new String(bytes, StandardCharsets.UTF_8)).tree());
        return kept.map(record -> read(mesh, record, said)).orElse(said);
    }

    private MeshTrust read(String mesh, JsonNode kept, MeshTrust said) {
        X509Certificate signed = Pem.certificates(kept.path(SIGNS).asText()).getFirst();
        List<X509Certificate> trusted = Pem.certificates(kept.path(TRUSTED).asText());
        if (signed.equals(said.signs().certificate())) {
            return new MeshTrust(said.backend(), said.signs(), trusted, said.leafLife());
        }
        // One whose key is gone signs no more; whom it signed for is believed until the others have new certificates.
        String backend = kept.path(BACKEND).asText();
        CertificateAuthority signs = authorities
                .reopen(mesh, backend)
                .filter(authority -> authority.certificate().equals(signed))
                .orElse(said.signs());
        List<X509Certificate> all = Stream.concat(Stream.of(signs.certificate()), trusted.stream())
                .distinct()
                .toList();
        return new MeshTrust(backend, signs, all, said.leafLife());
    }

    /** No name of a mesh has a colon. */
    private static String name(String mesh) {
        return "mesh-trust:" + mesh;
    }
}
