package io.parley.link.auth;

import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * By a certificate that one of the mesh's authorities signed. The whole chain is checked here, so it does not matter whether the TLS
 * layer, which other protocols share, checked anything.
 */
public final class MeshCertificateAuthenticator implements LinkAuthenticator {
    private static final String ANY_USE = "2.5.29.37.0";
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

    private final Supplier<? extends Collection<X509Certificate>> authorities;
    private final InstantSource time;
    private final Function<X509Certificate, Optional<NodePrincipal>> principal;

    /**
     * Trusts these authorities.
     *
     * @param authorities asked each time, since authorities are rotated
     * @param principal whom a valid certificate names; nothing if it names nobody that may come here
     */
    public MeshCertificateAuthenticator(
            Supplier<? extends Collection<X509Certificate>> authorities,
            InstantSource time,
            Function<X509Certificate, Optional<NodePrincipal>> principal) {
        this.authorities = authorities;
        this.time = time;
        this.principal = principal;
    }

    @Override
    public CompletableFuture<Authentication> authenticate(LinkCredentials credentials) {
        return CompletableFuture.completedFuture(judge(credentials.certificates()));
    }

    private Authentication judge(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return new Authentication.Unauthenticated("no client certificate (expected: one of the mesh)");
        }
        X509Certificate own = chain.getFirst();
        try {
            validate(chain);
            List<String> uses = own.getExtendedKeyUsage();
            if (uses != null && !uses.contains(CLIENT_AUTH) && !uses.contains(ANY_USE)) {
                return new Authentication.Unauthenticated("client certificate is not for clients: " + uses);
            }
        } catch (CertPathValidatorException e) {
            return new Authentication.Unauthenticated("client certificate: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            return new Authentication.Unauthenticated("client certificate cannot be checked: " + e.getMessage());
        }
        return principal
                .apply(own)
                .<Authentication>map(Authentication.Granted::new)
                .orElseGet(() -> new Authentication.Forbidden("client certificate names nobody who may connect here"));
    }

    private void validate(List<X509Certificate> presented) throws GeneralSecurityException {
        Collection<X509Certificate> trusted = authorities.get();
        if (trusted.isEmpty()) {
            throw new CertPathValidatorException("no authority is trusted yet");
        }
        Set<TrustAnchor> anchors =
                trusted.stream().map(ca -> new TrustAnchor(ca, null)).collect(Collectors.toSet());
        // RFC 5280, 6.1: the path ends before the anchor; peers often send the anchor too.
        List<X509Certificate> path =
                presented.stream().takeWhile(cert -> !trusted.contains(cert)).toList();
        if (path.isEmpty()) {
            throw new CertPathValidatorException("an authority's own certificate cannot connect");
        }
        CertPath certPath = CertificateFactory.getInstance("X.509").generateCertPath(path);
        var parameters = new PKIXParameters(anchors);
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(time.instant()));
        CertPathValidator.getInstance("PKIX").validate(certPath, parameters);
    }
}
