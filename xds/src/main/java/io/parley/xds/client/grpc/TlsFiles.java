package io.parley.xds.client.grpc;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.parley.xds.bootstrap.ChannelCredentials.KeyFiles;
import io.parley.xds.bootstrap.ChannelCredentials.Tls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** TLS credentials from files that are read again now and then (gRPC A65). */
final class TlsFiles implements AutoCloseable {
    private final ChannelCredentials credentials;
    private final ScheduledExecutorService refresher;

    private TlsFiles(ChannelCredentials credentials, ScheduledExecutorService refresher) {
        this.credentials = credentials;
        this.refresher = refresher;
    }

    static TlsFiles open(Tls tls) throws IOException, GeneralSecurityException {
        ScheduledExecutorService refresher = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("xds-client-certificates").factory());
        try {
            return new TlsFiles(read(tls, refresher), refresher);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            refresher.shutdownNow();
            throw e;
        }
    }

    private static ChannelCredentials read(Tls tls, ScheduledExecutorService refresher)
            throws IOException, GeneralSecurityException {
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
        long millis = tls.refresh().toMillis();
        if (tls.caFile() != null) {
            AdvancedTlsX509TrustManager trust =
                    AdvancedTlsX509TrustManager.newBuilder().build();
            var _ = trust.updateTrustCredentials(tls.caFile().toFile(), millis, TimeUnit.MILLISECONDS, refresher);
            builder.trustManager(trust);
        }
        KeyFiles identity = tls.identity();
        if (identity != null) {
            AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
            var _ = keys.updateIdentityCredentials(
                    identity.certificateFile().toFile(),
                    identity.privateKeyFile().toFile(),
                    millis,
                    TimeUnit.MILLISECONDS,
                    refresher);
            builder.keyManager(keys);
        }
        return builder.build();
    }

    ChannelCredentials credentials() {
        return credentials;
    }

    @Override
    public void close() {
        refresher.shutdownNow();
    }
}
