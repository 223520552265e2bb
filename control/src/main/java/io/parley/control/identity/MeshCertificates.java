package io.parley.control.identity;

import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.identity.certificate.SigningRequest;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.CallRefusal;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.identity.CertificateIssuer;
import io.parley.link.server.NodeLink;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Signs for each data plane the names that its resource gives it, whatever it asks for. */
public final class MeshCertificates implements CertificateIssuer {
    private final TrustRollout trust;
    private final Dataplanes dataplanes;
    private final Executor blocking;

    public MeshCertificates(TrustRollout trust, Dataplanes dataplanes, Executor blocking) {
        this.trust = trust;
        this.dataplanes = dataplanes;
        this.blocking = blocking;
    }

    @Override
    public CompletableFuture<Issued> issue(NodeLink node, byte[] csr) {
        return CompletableFuture.supplyAsync(() -> sign(node.principal(), csr), blocking);
    }

    @Override
    public void followed(NodeLink node) {
        blocking.execute(() -> trust.follow(node));
    }

    private Issued sign(NodePrincipal principal, byte[] csr) {
        NodeKey node = new NodeKey(principal.mesh(), principal.name());
        Set<String> proven = principal.proven();
        // Read once, so that what is signed is what was checked: it may be otherwise than when the node was let in.
        Set<String> services = dataplanes.services(node);
        if (proven != null && !proven.containsAll(services)) {
            throw CallRefusal.because("Dataplane " + node + " is of " + String.join(", ", services)
                    + " (expected: of no service but " + String.join(", ", new TreeSet<>(proven))
                    + ", for which the token or certificate is by which it joined)");
        }
        List<SpiffeId> identities = Dataplanes.identities(node.mesh(), services);
        if (identities.isEmpty()) {
            throw CallRefusal.because("Dataplane " + node + " does not exist, or its tag"
                    + " kuma.io/service is no name for a certificate (expected: letters, digits, '.', '-', '_')");
        }
        try {
            MeshTrust held = trust.of(node.mesh())
                    .orElseThrow(() -> CallRefusal.because("mesh " + node.mesh() + " does not exist"));
            SigningRequest request = SigningRequest.read(csr, identities);
            X509Certificate leaf =
                    held.signs().issueWorkload(request.identities(), request.publicKey(), held.leafLife());
            return new Issued(List.of(leaf), held.trusted());
        } catch (SigningRequest.RefusedException | AuthorityException e) {
            throw CallRefusal.because(String.valueOf(e.getMessage()));
        }
    }
}
