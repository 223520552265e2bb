package io.parley.control.identity;

import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.identity.certificate.SigningRequest;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.CallRefusal;
import io.parley.link.identity.CertificateIssuer;
import io.parley.link.server.NodeLink;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Signs for each data plane the one name that its resource gives it, whatever it asks for. */
public final class MeshCertificates implements CertificateIssuer {
    private final MeshAuthorities authorities;
    private final Dataplanes dataplanes;
    private final Executor blocking;

    public MeshCertificates(MeshAuthorities authorities, Dataplanes dataplanes, Executor blocking) {
        this.authorities = authorities;
        this.dataplanes = dataplanes;
        this.blocking = blocking;
    }

    @Override
    public CompletableFuture<Issued> issue(NodeLink node, byte[] csr) {
        NodeKey key = new NodeKey(node.principal().mesh(), node.principal().name());
        return CompletableFuture.supplyAsync(() -> sign(key, csr), blocking);
    }

    private Issued sign(NodeKey node, byte[] csr) {
        SpiffeId identity = dataplanes
                .identity(node)
                .orElseThrow(() -> CallRefusal.because("Dataplane " + node + " does not exist, or its tag"
                        + " kuma.io/service is no name for a certificate (expected: letters, digits, '.', '-', '_')"));
        try {
            MeshTrust trust = authorities
                    .of(node.mesh())
                    .orElseThrow(() -> CallRefusal.because("mesh " + node.mesh() + " does not exist"));
            SigningRequest request = SigningRequest.read(csr, identity);
            X509Certificate leaf =
                    trust.signs().issueWorkload(request.identity(), request.publicKey(), trust.leafLife());
            return new Issued(List.of(leaf), trust.trusted());
        } catch (SigningRequest.RefusedException | AuthorityException e) {
            throw CallRefusal.because(String.valueOf(e.getMessage()));
        }
    }
}
