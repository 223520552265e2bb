package io.parley.control.identity;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Pem;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The builtin authority of a mesh whose members live in several zones, which must trust each other: two Secrets of the mesh, made by the
 * global control plane, of which zones get copies. Their names are Kuma's, so that its zones use them too (docs/decisions/0116).
 */
final class SharedAuthority {
    private static final KindId SECRET = new KindId("Secret");
    private static final KindId MESH = new KindId("Mesh");

    private final ResourceStore store;
    private final Clock clock;
    private final SecureRandom random;

    SharedAuthority(ResourceStore store, Clock clock, SecureRandom random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    Optional<CertificateAuthority> find(String mesh, String backend) {
        return text(certificate(mesh, backend))
                .flatMap(certificate -> text(key(mesh, backend))
                        .map(key -> new CertificateAuthority(
                                Pem.certificates(certificate).getFirst(), Pem.privateKey(key), clock, random)));
    }

    /** Stores an authority for all zones, unless there is one. */
    void share(String mesh, String backend, CertificateAuthority authority) {
        ResourceKey owner = new ResourceKey(MESH, "", mesh);
        store.commit(List.of(
                put(certificate(mesh, backend), Pem.encode(authority.certificate()), owner),
                put(key(mesh, backend), Pem.encode(authority.privateKey()), owner)));
    }

    private static Change put(ResourceKey key, String pem, ResourceKey owner) {
        String data = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
        return new Change.Put(Resource.of(key, new Document("{\"data\":\"" + data + "\"}")), Expected.absent(), owner);
    }

    private Optional<String> text(ResourceKey key) {
        return store.find(key)
                .map(stored -> stored.resource().spec().tree().path("data").asText())
                .map(data -> new String(Base64.getMimeDecoder().decode(data), StandardCharsets.US_ASCII));
    }

    private static ResourceKey certificate(String mesh, String backend) {
        return new ResourceKey(SECRET, mesh, mesh + ".ca-builtin-cert-" + backend);
    }

    private static ResourceKey key(String mesh, String backend) {
        return new ResourceKey(SECRET, mesh, mesh + ".ca-builtin-key-" + backend);
    }
}
