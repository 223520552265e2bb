package io.parley.link.identity;

import com.google.protobuf.ByteString;
import io.parley.agreement.version.OfferedVersion;
import io.parley.link.CallRefusal;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.server.NodeLink;
import io.parley.link.server.ServiceBinding;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.proto.SignCertificateRequest;
import io.parley.wire.wrpc.proto.SignCertificateResponse;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code identity} v1 on the control plane. Signing is dear, so a node has one request at a time. */
public final class IdentityServer {
    private static final int MAX_CSR_BYTES = 16 << 10;

    private final NodeLink node;
    private final CertificateIssuer issuer;
    private boolean signing;

    private IdentityServer(NodeLink node, CertificateIssuer issuer) {
        this.node = node;
        this.issuer = issuer;
    }

    public static ServiceBinding binding(CertificateIssuer issuer) {
        return new ServiceBinding(
                Services.IDENTITY_NAME,
                OfferedVersion.of(Services.V1),
                Services.IDENTITY,
                node -> new ServiceHandler(() -> {})
                        .on(Services.SIGN_CERTIFICATE, new IdentityServer(node, issuer)::sign));
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
                        .addAllCertificates(encoded(issued.chain()))
                        .addAllTrusted(encoded(issued.trusted()))
                        .build());
    }

    private static List<ByteString> encoded(List<X509Certificate> certificates) {
        return certificates.stream().map(IdentityServer::der).toList();
    }

    private static ByteString der(X509Certificate certificate) {
        try {
            return ByteString.copyFrom(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate that was issued cannot be written", e);
        }
    }
}
