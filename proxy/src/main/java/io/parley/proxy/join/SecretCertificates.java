package io.parley.proxy.join;

import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.tls.MeshCredentials;
import io.parley.xds.client.Watch;
import io.parley.xds.client.WatchEvent;
import io.parley.xds.client.XdsClient;
import io.parley.xds.client.resource.ProtoParser;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The proxy's certificate out of the secrets {@value #IDENTITY} and {@value #TRUST}, kept in memory only. */
final class SecretCertificates {
    static final String IDENTITY = "identity";
    static final String TRUST = "trust";

    private static final Logger LOG = LoggerFactory.getLogger(SecretCertificates.class);

    private final Runnable installed;
    private @Nullable Secret identity;
    private @Nullable Secret trust;
    private volatile @Nullable MeshCredentials held;

    /** Calls {@code installed} after each new certificate. */
    SecretCertificates(Runnable installed) {
        this.installed = installed;
    }

    Optional<MeshCredentials> current() {
        return Optional.ofNullable(held);
    }

    void watch(XdsClient client) {
        for (String name : new String[] {IDENTITY, TRUST}) {
            Watch _ = client.watch(ProtoParser.SECRETS, name, event -> {
                if (event instanceof WatchEvent.Changed<Secret>(var _, var secret, var _)) {
                    take(secret);
                }
            });
        }
    }

    private void take(Secret secret) {
        if (secret.getName().equals(IDENTITY)) {
            identity = secret;
        } else {
            trust = secret;
        }
        Secret own = identity;
        Secret believed = trust;
        if (own == null || believed == null) {
            return;
        }
        try {
            MeshCredentials fresh = new MeshCredentials(
                    new Credentials(
                            Pem.certificates(text(own.getTlsCertificate().getCertificateChain())),
                            Pem.privateKey(text(own.getTlsCertificate().getPrivateKey()))),
                    Pem.certificates(text(believed.getValidationContext().getTrustedCa())));
            held = fresh;
            LOG.info("certificate of {} received, valid until {}", fresh.identity(), fresh.expires());
            installed.run();
        } catch (IllegalArgumentException e) {
            LOG.warn("certificate not taken: {}; going on with the one before", e.getMessage());
        }
    }

    private static String text(DataSource source) {
        return source.hasInlineString()
                ? source.getInlineString()
                : source.getInlineBytes().toStringUtf8();
    }
}
