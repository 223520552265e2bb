package io.parley.proxy.join;

import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.parley.agreement.version.NodeDescription;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.link.Backoff;
import io.parley.link.LinkLimits;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.link.client.ClientService.Need;
import io.parley.link.client.ClientTls;
import io.parley.link.client.LinkClient;
import io.parley.link.client.LinkClientListener;
import io.parley.link.config.ConfigClientV2;
import io.parley.link.identity.IdentityClient;
import io.parley.link.negotiation.AnswerCheck;
import io.parley.link.telemetry.TelemetryClient;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.socket.EventLoops;
import io.parley.proxy.tls.CertificateSource;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy's link to its control plane (agreement 1): configuration and certificate come by it, and reports go back. While it is down
 * the proxy goes on as it was; certificates are renewed early enough that it can be down for hours.
 */
public final class ControlPlaneLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlPlaneLink.class);
    private static final Duration FIRST_WORD_WITHIN = Duration.ofSeconds(5);
    private static final Duration REPORT_EVERY = Duration.ofSeconds(5);
    private static final long RELEASE_EVERY_SECONDS = 1;

    /** What a gateway's proxy reports is in conditions that somebody may wait for. */
    private static final Duration GATEWAY_REPORTS_EVERY = Duration.ofSeconds(1);

    private final Settings settings;
    private final Local local;
    private final Surroundings surroundings;
    private final List<X509Certificate> authorities;
    private final Instant startedAt;
    private final EventLoops loop = new EventLoops(1, "link", NioIoHandler.newFactory());
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("config").factory());
    private final LinkCertificates certificates =
            new LinkCertificates(new SecureRandom(), () -> worker.execute(this::certified));

    /** Done when the control plane knows this proxy: a Dataplane may be applied later than its proxy starts. */
    private final CompletableFuture<Void> known = new CompletableFuture<>();

    private final FirstWord firstWord;
    private volatile Map<String, String> agreed = Map.of();
    private volatile @Nullable String lost = "not connected yet";
    private volatile @Nullable XdsConfig config;
    private volatile @Nullable CertificateTaker taker;
    private @Nullable LinkClient client;

    /**
     * Where the control plane is, and who asks.
     *
     * @param token a file with the token of this data plane; read before each attempt, may be gone once there is a certificate
     * @param ca a PEM file with the authority that signed the control plane's certificate
     * @param version of this program
     * @param post what this proxy stands for
     */
    public record Settings(URI controlPlane, Path token, Path ca, String mesh, String name, String version, Post post) {
        /** For a proxy beside an application. */
        public Settings(URI controlPlane, Path token, Path ca, String mesh, String name, String version) {
            this(controlPlane, token, ca, mesh, name, version, new Post.Sidecar());
        }

        /** For the proxy of a gateway, {@code NAMESPACE/NAME}. */
        public Settings(
                URI controlPlane, Path token, Path ca, String mesh, String name, String version, String gateway) {
            this(controlPlane, token, ca, mesh, name, version, new Post.Gateway(gateway));
        }

        private Map<String, String> labels() {
            return switch (post) {
                case Post.Sidecar _ -> Map.of("mesh", mesh);
                case Post.Gateway(String gateway) -> Map.of("mesh", mesh, "gateway", gateway);
                case Post.BetweenZones _ -> Map.of();
            };
        }

        private String resource() {
            return switch (post) {
                case Post.Sidecar _ -> "Dataplane " + name + " in mesh " + mesh;
                case Post.Gateway(String gateway) -> "Gateway " + gateway;
                case Post.BetweenZones _ -> "ZoneIngress or ZoneEgress " + name;
            };
        }

        /** Keys are for those who end or begin TLS with others; who passes it on has no use for them. */
        private List<ResourceType> types() {
            return XdsConfig.ORDER.stream()
                    .filter(type -> !(post instanceof Post.BetweenZones) || type != ResourceType.SECRET)
                    .toList();
        }
    }

    /** What a proxy stands for. */
    public sealed interface Post {
        /** An application beside it: it is a member of the application's mesh, and has a certificate of it. */
        record Sidecar() implements Post {}

        /** A gateway, {@code NAMESPACE/NAME}. */
        record Gateway(String name) implements Post {}

        /** A zone, to others: it passes on what is encrypted, and has no keys. */
        record BetweenZones() implements Post {}
    }

    /** Throws {@link UncheckedIOException} or {@link IllegalArgumentException} if the CA file or the address cannot be used. */
    public ControlPlaneLink(Settings settings, Local local, Surroundings surroundings) {
        this.settings = settings;
        this.local = local;
        this.surroundings = surroundings;
        this.startedAt = surroundings.clock().instant();
        this.authorities = Pem.certificates(text(settings.ca()));
        this.firstWord = new FirstWord(loop.next(), FIRST_WORD_WITHIN, settings.resource());
    }

    public CertificateSource certificates() {
        return certificates::credentials;
    }

    /** Starts to tell the proxy what to do, as soon as the control plane says so. */
    public void start(Proxy proxy) {
        boolean gateway = settings.post() instanceof Post.Gateway;
        XdsConfig told = new XdsConfig(local, gateway ? proxy::applyWhatCanBe : proxy::apply);
        config = told;
        ConfigIntake intake = new ConfigIntake(told, settings.types(), worker, this::releaseIfDue);
        Reports reports = new Reports(proxy, told, () -> agreed, startedAt);
        List<ClientService> services = new ArrayList<>(List.of(
                ConfigClientV2.service(intake, Need.REQUIRED),
                TelemetryClient.service(reports::next, gateway ? GATEWAY_REPORTS_EVERY : REPORT_EVERY, Need.OPTIONAL)));
        if (settings.post() instanceof Post.Sidecar) {
            services.add(identity());
        }
        open(services);
    }

    /** Takes a certificate and its key, and whom to believe. */
    @FunctionalInterface
    public interface CertificateTaker {
        void take(Credentials shown, List<X509Certificate> trusted);
    }

    /** Asks for a certificate and for nothing else; {@code taker} gets each one, and again when others are to be believed. */
    public void startForCertificate(CertificateTaker newest) {
        taker = newest;
        known.complete(null);
        open(List.of(identity()));
    }

    private ClientService identity() {
        return IdentityClient.service(
                certificates,
                known,
                Need.OPTIONAL,
                surroundings.clock(),
                surroundings.chance().get());
    }

    private void certified() {
        CertificateTaker told = taker;
        if (told != null) {
            certificates.credentials().ifPresent(held -> told.take(held.credentials(), held.trust()));
        }
        releaseIfDue();
    }

    private void open(List<ClientService> services) {
        LinkClient link = new LinkClient(
                new LinkClient.Settings(
                        settings.controlPlane(),
                        this::tls,
                        this::token,
                        new NodeDescription(settings.name(), "PARLEY", settings.version(), hostName()),
                        settings.labels(),
                        LinkLimits.DEFAULT,
                        this::backoff),
                services,
                new Listener(),
                loop.next(),
                NioSocketChannel::new,
                surroundings.clock(),
                surroundings.chance().get());
        client = link;
        link.start();
    }

    /** For people who debug; empty on a machine without a name. */
    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }

    /** What the control plane has told so far; empty before {@link #start}. */
    public Optional<XdsConfig> config() {
        return Optional.ofNullable(config);
    }

    /** How it stands with the control plane. */
    public Guidance guidance() {
        return new Guidance(
                settings.controlPlane().toString(),
                lost,
                config().map(XdsConfig::refused).orElse(""));
    }

    /** The first configuration that needs a certificate waits for it: without, all it could do is refuse. */
    private void releaseIfDue() {
        XdsConfig told = config;
        if (told == null || !told.knowsListeners()) {
            return;
        }
        firstWord.heard();
        if (told.hasListeners()) {
            known.complete(null);
        }
        boolean hopeless = !agreed.containsKey(Services.IDENTITY_NAME);
        if (certificates.shown().isPresent() || hopeless || !told.needsIdentity()) {
            release(told);
        }
    }

    /** Who has a port may let it go. */
    private void release(XdsConfig told) {
        if (!told.release()) {
            var _ = loop.schedule(() -> worker.execute(this::releaseIfDue), RELEASE_EVERY_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** A certificate that ends before the next attempt, or has ended, cuts the application off: then others have to wait. */
    private Backoff backoff() {
        Instant soon = surroundings.clock().instant().plus(Backoff.RECONNECT.longest());
        boolean urgent = certificates
                .credentials()
                .filter(held -> held.expires().isBefore(soon))
                .isPresent();
        return urgent ? Backoff.URGENT : Backoff.RECONNECT;
    }

    private SslContext tls() {
        return certificates
                .shown()
                .map(own -> ClientTls.trusting(authorities, own.chain(), own.key()))
                .orElseGet(() -> ClientTls.trusting(authorities));
    }

    private Optional<String> token() {
        try {
            return Optional.of(text(settings.token()).strip()).filter(token -> !token.isEmpty());
        } catch (UncheckedIOException e) {
            LOG.warn("token not read: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new UncheckedIOException(file + ": no such file", e);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        worker.shutdownNow();
    }

    private final class Listener implements LinkClientListener {
        @Override
        public void connected(AnswerCheck.Agreed now) {
            agreed = now.accepted();
            lost = null;
            if (config != null) {
                firstWord.connected();
            }
        }

        @Override
        public void disconnected(String reason, Duration retryAfter) {
            lost = reason;
        }
    }
}
