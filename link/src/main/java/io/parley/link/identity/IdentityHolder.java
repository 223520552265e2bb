package io.parley.link.identity;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The node's key and certificate. The key is made here and never leaves. Called on the link's event loop: must not block. */
public interface IdentityHolder {
    /** The certificate in use. */
    Optional<X509Certificate> current();

    /** A PKCS#10 request, DER, for a new key. */
    byte[] newRequest();

    /** The answer to the last {@link #newRequest}. Throws if it does not fit the key. */
    void install(List<X509Certificate> chain, List<X509Certificate> trusted);

    /** Whom to believe from now on, with the certificate that is in use; nothing to do if there is none. */
    void trust(List<X509Certificate> trusted);

    /** Done when no handshake is under way that began before the last change. */
    CompletableFuture<Void> settled();
}
