package io.parley.proxy.join;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.FileCertificates;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.CertificateProvider;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.ClientSettings;
import io.parley.xds.client.XdsClient;
import io.parley.xds.client.grpc.GrpcTransports;
import io.parley.xds.client.loop.ThreadLoop;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A proxy configured by any xDS server (agreement 2). Its certificate comes from the first provider of the bootstrap file that has both a
 * certificate and authorities, else from the server's secrets.
 */
public final class BootstrapJoin implements AutoCloseable {
    private static final Duration RELEASE_EVERY = Duration.ofSeconds(1);

    private final String servers;
    private final Local local;
    private final ThreadLoop loop = new ThreadLoop("xds");
    private final XdsClient client;
    private final SecretCertificates secrets = new SecretCertificates(this::releaseIfDue);
    private final @Nullable FileCertificates files;
    private final Duration refresh;
    private volatile @Nullable XdsConfig config;

    public BootstrapJoin(
            Bootstrap bootstrap,
            Map<String, String> environment,
            String version,
            Local local,
            Surroundings surroundings) {
        this.servers = bootstrap.servers().stream().map(XdsServer::uri).collect(Collectors.joining(", "));
        this.local = local;
        CertificateProvider.FileWatcher provider = bootstrap.certificateProviders().values().stream()
                .filter(CertificateProvider.FileWatcher.class::isInstance)
                .map(CertificateProvider.FileWatcher.class::cast)
                .filter(one -> one.identity() != null && one.caFile() != null)
                .findFirst()
                .orElse(null);
        this.files = provider == null ? null : files(provider);
        this.refresh = provider == null ? Duration.ZERO : provider.refresh();
        this.client = new XdsClient(
                ClientSettings.of(bootstrap, environment, new ClientSettings.Agent("parley-proxy", version)),
                new GrpcTransports("parley-proxy/" + version),
                loop,
                surroundings.chance().get());
    }

    private static @Nullable FileCertificates files(CertificateProvider.FileWatcher provider) {
        var identity = provider.identity();
        var trust = provider.caFile();
        return identity == null || trust == null
                ? null
                : new FileCertificates(identity.certificateFile(), identity.privateKeyFile(), trust);
    }

    public CertificateSource certificates() {
        return files == null ? secrets::current : files;
    }

    /** Starts to tell the proxy what to do, as soon as the server says so. */
    public void start(Proxy proxy) {
        XdsConfig told = new XdsConfig(local, proxy::apply);
        config = told;
        loop.execute(() -> {
            if (files == null) {
                secrets.watch(client);
            } else {
                refresh(files);
            }
            new XdsFeed(client, loop, told, this::releaseIfDue).start();
        });
    }

    private void refresh(FileCertificates certificates) {
        certificates.refresh();
        releaseIfDue();
        var _ = loop.after(refresh, () -> refresh(certificates));
    }

    /** What the server has told so far; empty before {@link #start}. */
    public Optional<XdsConfig> config() {
        return Optional.ofNullable(config);
    }

    /** How it stands with the server, as far as it can be told: the client of xDS keeps to itself whether it is connected. */
    public Guidance guidance() {
        return new Guidance(servers, null, config().map(XdsConfig::refused).orElse(""));
    }

    private void releaseIfDue() {
        XdsConfig told = config;
        if (told != null && told.knowsListeners() && (certificates().current().isPresent() || !told.needsIdentity())) {
            release(told);
        }
    }

    /** Who has a port may let it go. */
    private void release(XdsConfig told) {
        if (!told.release()) {
            var _ = loop.after(RELEASE_EVERY, this::releaseIfDue);
        }
    }

    @Override
    public void close() {
        client.close();
        loop.close();
    }
}
