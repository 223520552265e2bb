package io.parley.control.app;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerTlsConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.parley.control.access.Caller;
import io.parley.control.api.ApiServer;
import io.parley.control.connection.ConnectionLimits;
import io.parley.control.draft.Flavor;
import io.parley.control.explain.Explainer;
import io.parley.control.identity.TrustRollout;
import io.parley.control.keys.PrivateFile;
import io.parley.control.keys.SealedSecrets;
import io.parley.control.keys.ServerIdentity;
import io.parley.control.keys.SigningKeys;
import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.control.serve.MachinePort;
import io.parley.control.serve.Machines;
import io.parley.control.serve.NodeTokens;
import io.parley.control.snapshot.ConfigDump;
import io.parley.control.snapshot.ProxyKey;
import io.parley.identity.certificate.KeyStores;
import io.parley.identity.certificate.Pem;
import io.parley.identity.seal.MasterKey;
import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenIssuer;
import io.parley.identity.token.TokenVerifier;
import io.parley.link.server.AcceptLoops;
import io.parley.store.LeaderElection;
import io.parley.store.Role;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running control plane. Construction reads from top to bottom in the order of dependence; closing goes the other way. */
public final class ControlPlane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final Duration STEP_OF_OTHERS = Duration.ofSeconds(5);
    private static final int MAX_CONNECTIONS = 10_000;
    private static final Duration INTRODUCTION = Duration.ofMinutes(1);

    private final ControlPlaneConfig config;
    private final String trustPem;
    private final Storage storage;
    private final Workers workers;
    private final AdminToken adminToken;
    private final Realms realms;
    private final Machines machines;
    private final Federation federation;
    private final Server api;
    private final DataFolder folder;
    private final AtomicBoolean ready = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ControlPlane(ControlPlaneConfig config, DataFolder folder, Storage storage, Workers workers) {
        this.config = config;
        this.folder = folder;
        this.storage = storage;
        this.workers = workers;
        Clock clock = Clock.systemUTC();
        SecureRandom random = new SecureRandom();
        MasterKey masterKey = masterKey(config, folder, random);
        SealedSecrets secrets = new SealedSecrets(storage.store(), masterKey);
        SigningKeys keys = SigningKeys.open(secrets, clock, random);
        ServerIdentity identity = ServerIdentity.open(secrets, clock, random);
        this.trustPem = identity.trustPem();
        this.realms = new Realms(
                storage,
                new Realm.Ground(
                        config.mode(), masterKey, () -> !closed.get() && leads(storage.election()) > 0, clock, random));
        TokenIssuer issuer = new TokenIssuer(keys::current, clock);
        TokenVerifier verifier = new TokenVerifier(keys::find, realms::isRevoked, clock);
        PrometheusMeterRegistry metrics = metrics(storage.election());
        Federation.Self self = new Federation.Self(folder.instanceId(), verifier, () -> introduction(issuer), trustPem);
        this.federation = Federation.of(config.mode(), self, realms, storage.election(), metrics);
        ServerCertificate certificate = new ServerCertificate(() -> identity.issue(config.hostNames()), clock);
        Machines.Parts served = machineParts(config, new NodeTokens(verifier, workers.blocking()), metrics, clock);
        this.machines = new Machines(served, addresses(config), certificate);
        ApiServer.Parts parts = new ApiServer.Parts(
                config.mode().place(),
                issuer,
                verifier,
                keys,
                machines.catalog(),
                seen(),
                federation::links,
                metrics,
                ready::get,
                workers.blocking());
        this.api = server(config, certificate, new ApiServer(parts));
        this.adminToken = new AdminToken(issuer, () -> keys.current().id(), folder.adminTokenFile(), clock);
    }

    /** What the API shows, by tenant. */
    private Map<String, ApiServer.Realm> seen() {
        Map<String, ApiServer.Realm> seen = new TreeMap<>();
        realms.byTenant().forEach((tenant, realm) -> seen.put(tenant, seen(tenant, realm)));
        return seen;
    }

    private ApiServer.Realm seen(String tenant, Realm realm) {
        return new ApiServer.Realm(
                realm.store(),
                realm.revocations(),
                new Explainer(realm.snapshots().feed()::current, realm.observations()),
                realm.gateways(),
                federation.proxies(tenant, new ConfigDump(realm.snapshots().feed())));
    }

    /** With which another control plane of the same store lets this one ask. */
    private String introduction(TokenIssuer issuer) {
        return issuer.issue(
                new Subject.User("control plane " + folder.instanceId(), Set.of(Caller.ADMIN), ""), INTRODUCTION);
    }

    /** Where other control planes reach this one: by the machine's name, unless it listens at one address only. */
    private String machineAddress() {
        InetSocketAddress listening = config.listen().address();
        String host = listening.getAddress().isAnyLocalAddress() ? ServerIdentity.machineName() : hostText(listening);
        return host + ":" + machines.port();
    }

    /** Proxies join the zones of tenants; those that join here are the operators'. */
    private Machines.Parts machineParts(
            ControlPlaneConfig config, NodeTokens tokens, PrometheusMeterRegistry metrics, Clock clock) {
        Realm realm = realms.main();
        return new Machines.Parts(
                folder.instanceId(),
                realm.store(),
                tokens,
                new TrustRollout(realm.authorities(), new Dataplanes(realm.store()), pause(config), workers.blocking()),
                this::snapshot,
                realm.snapshots().feed(),
                sharedCertificate(config),
                realm.gateways().reports(),
                realm.gateways().reports(),
                realm.gateways().reports().streams(Machines::node),
                metrics,
                clock,
                federation.services(),
                federation.servicesForGlobals(),
                workers.blocking(),
                workers.timer(),
                workers.insights());
    }

    /** Between the steps in which a mesh changes its authorities. Others who serve its proxies make each step at about the same time. */
    private static Duration pause(ControlPlaneConfig config) {
        boolean alone = config.mode() instanceof Mode.Standalone && !(config.store() instanceof StoreChoice.Postgres);
        return alone ? Duration.ZERO : STEP_OF_OTHERS;
    }

    private LiveSnapshot snapshot(NodeKey node, Flavor flavor) {
        Realm realm = realms.main();
        return node.isGateway()
                ? realm.gateways().of(node)
                : realm.snapshots().of(new ProxyKey(node.isZoneProxy() ? "" : node.mesh(), node.name(), flavor));
    }

    /** Starts a control plane; when this returns it serves. */
    public static ControlPlane start(ControlPlaneConfig config) {
        DataFolder folder = DataFolder.open(config.data());
        Storage storage = Storage.open(config.store(), folder, config.mode().tenants());
        Workers workers = Workers.start();
        try {
            return new ControlPlane(config, folder, storage, workers).serve();
        } catch (RuntimeException e) {
            workers.close();
            storage.close();
            throw e;
        }
    }

    private ControlPlane serve() {
        realms.start(workers.insights());
        try {
            listen(machines.start(), machineAddresses(), "--listen");
            listen(api.start(), config.api().toString(), "--api");
            // Not before the ports are there: what stands in the folder must not change if this one does not serve.
            PrivateFile.writePublic(folder.caFile(), trustPem.getBytes(StandardCharsets.US_ASCII));
            adminToken.keepFresh();
            federation.start(new ConfigDump(realms.main().snapshots().feed()), machineAddress());
            PrivateFile.writePublic(folder.apiUrlFile(), (apiUrl() + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (RuntimeException e) {
            adminToken.close();
            federation.close();
            api.stop().join();
            machines.close();
            realms.close();
            throw e;
        }
        ready.set(true);
        LOG.info("ready; API on {}, machines on port {}", apiUrl(), machines.port());
        return this;
    }

    private String machineAddresses() {
        return config.listen() + (config.localXds() == null ? "" : " and " + config.localXds() + " (--local-xds)");
    }

    private static void listen(CompletableFuture<Void> started, String address, String option) {
        try {
            started.join();
        } catch (CompletionException e) {
            throw new IllegalStateException(
                    "cannot listen on " + address + ": " + (e.getCause() == null ? e : e.getCause()).getMessage()
                            + " (choose another address with " + option + " HOST:PORT)",
                    e);
        }
    }

    /** Where xDS clients of this machine connect in clear, if that was asked for. */
    public int localXdsPort() {
        return machines.localXdsPort();
    }

    /** Where proxies, xDS clients and zones connect. */
    public int machinePort() {
        return machines.port();
    }

    public URI apiUrl() {
        var port = api.activePort();
        if (port == null) {
            throw new IllegalStateException("not started, or stopped");
        }
        InetSocketAddress address = port.localAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : hostText(address);
        return URI.create((port.hasTls() ? "https" : "http") + "://" + host + ":" + address.getPort());
    }

    /** The certificate of the authority that vouches for the machines' port. */
    public Path caFile() {
        return folder.caFile();
    }

    public Path adminTokenFile() {
        return folder.adminTokenFile();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        ready.set(false);
        adminToken.close();
        federation.close();
        CompletableFuture<Void> stopped = api.stop();
        machines.close();
        stopped.join();
        realms.close();
        workers.close();
        storage.close();
        LOG.info("stopped");
    }

    private static Server server(ControlPlaneConfig config, ServerCertificate certificate, ApiServer apiServer) {
        ServerBuilder builder =
                Server.builder().gracefulShutdownTimeout(Duration.ZERO, DRAIN).bossGroupFactory(AcceptLoops::named);
        ConnectionLimits.addTo(builder, MAX_CONNECTIONS);
        Set<String> names = new LinkedHashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
        names.addAll(config.hostNames());
        if (config.api().isLoopback()) {
            builder.port(config.api().address(), SessionProtocol.HTTP);
        } else {
            builder.port(config.api().address(), SessionProtocol.HTTPS);
            builder.tlsProvider(
                    certificate,
                    ServerTlsConfig.builder()
                            .tlsCustomizer(tls -> tls.keyStoreType(KeyStores.IN_MEMORY))
                            .build());
        }
        names.add(hostText(config.api().address()));
        names.add(ServerIdentity.machineName());
        apiServer.addTo(builder, names);
        return builder.build();
    }

    private static MachinePort.Addresses addresses(ControlPlaneConfig config) {
        HostPort local = config.localXds();
        return new MachinePort.Addresses(config.listen().address(), local == null ? null : local.address());
    }

    private static @Nullable X509Certificate sharedCertificate(ControlPlaneConfig config) {
        Path file = config.sharedCertificate();
        if (file == null) {
            return null;
        }
        try {
            return Pem.certificates(Files.readString(file)).getFirst();
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("--shared-certificate " + file + ": " + e.getMessage(), e);
        }
    }

    private static PrometheusMeterRegistry metrics(LeaderElection election) {
        PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Gauge.builder("parley.control.plane.leader", election, ControlPlane::leads)
                .description("1 on the control plane that leads, 0 on the others of its store")
                .register(metrics);
        return metrics;
    }

    private static double leads(LeaderElection election) {
        return election.role() == Role.LEADER ? 1 : 0;
    }

    private static MasterKey masterKey(ControlPlaneConfig config, DataFolder folder, SecureRandom random) {
        Path file = config.masterKey();
        return file == null ? folder.masterKey(random) : DataFolder.readMasterKey(file, random);
    }

    private static String hostText(InetSocketAddress address) {
        String text = address.getAddress().getHostAddress();
        return text.indexOf(':') >= 0 ? "[" + text + "]" : text;
    }
}
