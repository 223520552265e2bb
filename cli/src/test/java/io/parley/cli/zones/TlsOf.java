package io.parley.cli.zones;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyStores;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS of those who are no part of the mesh. */
final class TlsOf {
    private static final char[] NO_PASSWORD = new char[0];

    private TlsOf() {}

    /** Shows a certificate for this name. */
    static SSLContext server(CertificateAuthority authority, String name) throws GeneralSecurityException, IOException {
        Credentials credentials = authority.issueServer(List.of(name), List.of(), Duration.ofDays(1));
        KeyStore keys = empty();
        keys.setKeyEntry(
                name, credentials.key(), NO_PASSWORD, credentials.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** Believes whom this authority vouches for. */
    static SSLContext client(CertificateAuthority authority) throws GeneralSecurityException, IOException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry("ca", authority.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStores.IN_MEMORY);
        store.load(null, null);
        return store;
    }
}
