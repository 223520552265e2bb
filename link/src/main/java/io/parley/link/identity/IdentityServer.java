package io.parley.link.identity;

import io.parley.agreement.version.OfferedVersion;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.CallRefusal;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.server.NodeLink;
import io.parley.link.server.ServiceBinding;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.proto.FollowTrustResponse;
import io.parley.wire.wrpc.proto.SignCertificateRequest;
import io.parley.wire.wrpc.proto.SignCertificateResponse;
import io.parley.wire.wrpc.proto.TrustRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** {@code identity} v1 on the control plane. Signing is dear, so a node has one request at a time. */
public final class IdentityServer {
    /** A node that is told of another authority asks for a certificate before it answers. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(30);

    private static final int MAX_CSR_BYTES = 16 << 10;

    private final NodeLink node;
    private final CertificateIssuer issuer;
    private boolean signing;
    private boolean following;

    private IdentityServer(NodeLink node, CertificateIssuer issuer) {
        this.node = node;
        this.issuer = issuer;
    }

    public static ServiceBinding binding(CertificateIssuer issuer) {
        return new ServiceBinding(
                Services.IDENTITY_NAME,
                OfferedVersion.of(Services.V1),
                Services.IDENTITY,
                node -> new IdentityServer(node, issuer).handler());
    }

    private ServiceHandler handler() {
        return new ServiceHandler(() -> {})
                .on(Services.SIGN_CERTIFICATE, this::sign)
                .on(Services.FOLLOW_TRUST, _ -> follow());
    }

    /**
     * Tells a node that follows whom to believe. Done when it does so and has a certificate as it should be; fails if it does not say
     * so in time.
     */
    public static CompletableFuture<Void> tell(NodeLink node, Trust trust) {
        TrustRequest request = TrustRequest.newBuilder()
                .addAllTrusted(Der.encoded(trust.trusted()))
                .setSigns(Der.encoded(trust.signs()))
                .addAllNames(trust.names().stream().map(SpiffeId::toString).toList())
                .build();
        return node.link().call(Services.TRUST, request, TOLD_WITHIN).thenApply(_ -> null);
    }

    private CompletableFuture<FollowTrustResponse> follow() {
        if (following) {
            throw CallRefusal.because("this node follows already (expected: once for each connection)");
        }
        following = true;
        issuer.followed(node);
        return CompletableFuture.completedFuture(FollowTrustResponse.getDefaultInstance());
    }

    private CompletableFuture<SignCertificateResponse> sign(SignCertificateRequest request) {
        if (signing) {
            throw CallRefusal.because("a request of this node is being signed (expected: one at a time)");
        }
        if (request.getCsr().isEmpty() || request.getCsr().size() > MAX_CSR_BYTES) {
            throw new CallRefusal(
                    ErrorCode.INVALID_PAYLOAD,
                    "csr: " + request.getCsr().size() + " bytes (expected: 1 to " + MAX_CSR_BYTES + ")");
        }
        signing = true;
        return issuer.issue(node, request.getCsr().toByteArray())
                .whenCompleteAsync((_, _) -> signing = false, node.link().loop())
                .thenApply(issued -> SignCertificateResponse.newBuilder()
                        .addAllCertificates(Der.encoded(issued.chain()))
                        .addAllTrusted(Der.encoded(issued.trusted()))
                        .build());
    }
}
