package io.parley.control.identity;

import io.parley.agreement.sync.Origin;
import io.parley.control.access.Place;
import io.parley.control.keys.MeshSecrets;
import io.parley.control.keys.SealedSecrets;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Pem;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.mesh.MeshSpec;
import io.parley.resource.mesh.Mtls;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate authorities of all meshes. A mesh that names none has one of its own all the same: its proxies need to prove who they
 * are to the control plane before anybody decides to encrypt. An authority is changed without a failed handshake by adding the new
 * backend, then enabling it, then removing the old one, since every backend that a mesh lists is trusted.
 */
public final class MeshAuthorities {
    /** The backend of a mesh that names none. */
    static final String UNNAMED = "builtin";

    private static final Logger LOG = LoggerFactory.getLogger(MeshAuthorities.class);
    private static final KindId MESH = new KindId("Mesh");
    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration LEAF_LIFE = Duration.ofHours(24);

    private final ResourceStore store;
    private final SealedSecrets secrets;
    private final Clock clock;
    private final SecureRandom random;
    private final ProvidedAuthority provided;
    private final SharedAuthority shared;
    private final boolean zone;
    private final Map<String, MeshTrust> known = new ConcurrentHashMap<>();
    private final Map<String, CertificateAuthority> builtins = new ConcurrentHashMap<>();

    public MeshAuthorities(ResourceStore store, SealedSecrets secrets, Clock clock, SecureRandom random, Place place) {
        this.zone = place instanceof Place.Zone;
        this.store = store;
        this.secrets = secrets;
        this.clock = clock;
        this.random = random;
        this.provided = new ProvidedAuthority(new MeshSecrets(store), clock, random);
        this.shared = new SharedAuthority(store, clock, random);
    }

    /**
     * The authorities of this mesh, nothing if there is no such mesh. Reads the store, so it may block.
     *
     * @throws AuthorityException if the mesh names an authority that cannot sign
     */
    public Optional<MeshTrust> of(String mesh) {
        return store.find(new ResourceKey(MESH, "", mesh)).map(this::trust);
    }

    /** If what a mesh says now cannot be used, what it said last still holds. */
    private MeshTrust trust(Stored mesh) {
        String name = mesh.key().name();
        MeshTrust last = known.get(name);
        try {
            MeshTrust trust = read(mesh, spec(mesh));
            known.put(name, trust);
            return trust;
        } catch (AuthorityException e) {
            if (last == null) {
                throw e;
            }
            LOG.warn("{}; going on with the authorities of before", e.getMessage());
            return last;
        }
    }

    private static MeshSpec spec(Stored mesh) {
        return switch (MeshSpec.READER.read(mesh.resource().spec())) {
            case Result.Accepted<MeshSpec>(MeshSpec spec) -> spec;
            case Result.Rejected<MeshSpec>(var violations) ->
                throw new AuthorityException("Mesh/" + mesh.key().name() + ": " + violations);
        };
    }

    private MeshTrust read(Stored mesh, MeshSpec spec) {
        Mtls mtls = spec.mtls();
        if (mtls == null || mtls.backends().isEmpty()) {
            requireGlobals(mesh);
            CertificateAuthority own = builtin(mesh.key().name(), UNNAMED);
            return new MeshTrust(UNNAMED, own, List.of(own.certificate()), LEAF_LIFE);
        }
        Mtls.Authority enabled = mtls.backends().stream()
                .filter(backend -> backend.name().equals(mtls.enabledBackend()))
                .findFirst()
                .orElse(mtls.backends().getFirst());
        CertificateAuthority signs = open(mesh, enabled);
        List<X509Certificate> trusted = new ArrayList<>(List.of(signs.certificate()));
        for (Mtls.Authority backend : mtls.backends()) {
            if (!backend.equals(enabled)) {
                addIfUsable(mesh, backend, trusted);
            }
        }
        return new MeshTrust(enabled.name(), signs, trusted, leafLife(enabled));
    }

    /** One that does not sign and cannot be opened does no harm to the one that does. */
    private void addIfUsable(Stored mesh, Mtls.Authority backend, List<X509Certificate> trusted) {
        try {
            trusted.add(open(mesh, backend).certificate());
        } catch (AuthorityException e) {
            LOG.warn("{}; it is not trusted", e.getMessage());
        }
    }

    private CertificateAuthority open(Stored mesh, Mtls.Authority backend) {
        String name = mesh.key().name();
        return switch (backend.type()) {
            case "builtin" -> shared.find(name, backend.name()).orElseGet(() -> unshared(mesh, backend.name()));
            case "provided" -> provided.open(name, backend);
            default ->
                throw new AuthorityException("Mesh/" + name + " mtls.backends[" + backend.name() + "].type: "
                        + backend.type() + " (expected: builtin or provided)");
        };
    }

    /** Before a zone has met global it has a mesh that says nothing: what it signed for that, nobody would believe a moment later. */
    private void requireGlobals(Stored mesh) {
        if (zone && !(Origin.of(mesh.resource().labels()) instanceof Origin.Global)) {
            throw new AuthorityException("Mesh/" + mesh.key().name()
                    + ": not global's (expected: the one that global makes, or mtls.backends)");
        }
    }

    /** A zone that made one of its own for global's mesh would be a stranger to all others. */
    private CertificateAuthority unshared(Stored mesh, String backend) {
        if (Origin.of(mesh.resource().labels()) instanceof Origin.Global) {
            throw new AuthorityException("Mesh/" + mesh.key().name() + " mtls.backends[" + backend
                    + "]: its authority is global's and has not come from there yet");
        }
        return builtin(mesh.key().name(), backend);
    }

    /** Makes an authority, which may have been this control plane's own so far, one of all zones. */
    void share(String mesh, String backend) {
        if (shared.find(mesh, backend).isEmpty()) {
            shared.share(mesh, backend, builtin(mesh, backend));
        }
    }

    /** What remembers how far changes of authorities have come. */
    RolloutMemory memory() {
        return new RolloutMemory(secrets, this);
    }

    /** An authority that the mesh may not name any more, if its key is still here. */
    Optional<CertificateAuthority> reopen(String mesh, String backend) {
        return shared.find(mesh, backend)
                .or(() -> secrets.find(secret(mesh, backend)).map(this::read));
    }

    private CertificateAuthority builtin(String mesh, String backend) {
        return builtins.computeIfAbsent(mesh + ":" + backend, _ -> openBuiltin(mesh, backend));
    }

    private CertificateAuthority openBuiltin(String mesh, String backend) {
        return read(secrets.findOrMake(secret(mesh, backend), () -> {
            CertificateAuthority made =
                    CertificateAuthority.create(mesh + " " + backend, AUTHORITY_LIFE, clock, random);
            return (Pem.encode(made.certificate()) + Pem.encode(made.privateKey())).getBytes(StandardCharsets.US_ASCII);
        }));
    }

    /** No name of a mesh has a colon, so no two of them share a key. */
    private static String secret(String mesh, String backend) {
        return "mesh-ca:" + mesh + ":" + backend;
    }

    private CertificateAuthority read(byte[] pem) {
        String text = new String(pem, StandardCharsets.US_ASCII);
        return new CertificateAuthority(Pem.certificates(text).getFirst(), Pem.privateKey(text), clock, random);
    }

    private static Duration leafLife(Mtls.Authority backend) {
        Mtls.Certificates certificates = backend.certificates();
        if (certificates == null
                || certificates.rotation() == null
                || certificates.rotation().expiration() == null) {
            return LEAF_LIFE;
        }
        return certificates.rotation().expiration();
    }
}
