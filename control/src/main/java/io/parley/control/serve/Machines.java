package io.parley.control.serve;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.control.destination.DestinationService;
import io.parley.control.identity.MeshCertificates;
import io.parley.control.identity.TrustRollout;
import io.parley.control.identity.XdsIdentities;
import io.parley.control.insight.DataplaneInsights;
import io.parley.control.insight.InsightWriter;
import io.parley.control.insight.StreamInsights;
import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.control.feed.ModelFeed;
import io.parley.link.config.ConfigListener;
import io.parley.link.config.ConfigServerV1;
import io.parley.link.config.ConfigServerV2;
import io.parley.link.identity.IdentityServer;
import io.parley.link.server.LinkEndpoint;
import io.parley.link.server.ServiceBinding;
import io.parley.link.telemetry.TelemetryServer;
import io.parley.link.telemetry.TelemetrySink;
import io.parley.resource.KindId;
import io.parley.store.ResourceStore;
import io.parley.xds.server.StreamInfo;
import io.parley.xds.server.StreamListener;
import io.parley.xds.server.XdsServer;
import io.parley.xds.server.load.LoadReporting;
import io.parley.xds.server.status.ClientStatusService;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that machines are served with, on one port: the links of data planes and the streams of xDS clients. */
public final class Machines implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Machines.class);
    private static final Duration LOAD_INTERVAL = Duration.ofSeconds(10);
    private static final int LOAD_STREAMS = 100_000;

    /** Clients are sent away at half the pace at which another server, by its own limits, would admit them. */
    private static final Duration DRAIN_PER_STREAM = Duration.ofMillis(2);

    private static final Duration SHORTEST_DRAIN = Duration.ofMillis(200);
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(20);
    private static final Duration LAST_ENDS = Duration.ofSeconds(1);

    /** How long somebody whose token was withdrawn may stay, besides the time until the withdrawal is read here. */
    private static final Duration REVIEW = Duration.ofSeconds(1);

    /** As long as xDS clients wait: a proxy may be started a moment before it is declared. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** What says who signs in a mesh. */
    private static final Set<KindId> AUTHORITIES = Set.of(new KindId("Mesh"), new KindId("Secret"));

    /**
     * What it is built on.
     *
     * @param id what this control plane calls itself
     * @param sharedCertificate of data planes that have none of their own; null if there are none
     * @param reports who else is told what data planes report
     * @param outcomes who else is told what became of their configuration
     * @param streams who else is told what becomes of xDS streams
     * @param zones services for zones that follow this control plane; none if no zone may
     * @param globals services for other control planes of the same store
     * @param timer for what happens at intervals; must not be blocked
     * @param insightTimer the insights' own, which the store may block
     */
    public record Parts(
            String id,
            ResourceStore store,
            NodeTokens tokens,
            TrustRollout trust,
            NodeSnapshots snapshots,
            ModelFeed model,
            @Nullable X509Certificate sharedCertificate,
            TelemetrySink reports,
            ConfigListener outcomes,
            StreamListener streams,
            MeterRegistry metrics,
            Clock clock,
            List<ServerServiceDefinition> zones,
            List<ServerServiceDefinition> globals,
            ExecutorService blocking,
            ScheduledExecutorService timer,
            ScheduledExecutorService insightTimer) {}

    private final LinkEndpoint links;
    private final XdsServer xds;
    private final InsightWriter writer;
    private final VersionPolicies versions;
    private final StoreFollower policies;
    private final StoreFollower authorities;
    private final DestinationService destinations;
    private final OpenCalls calls = new OpenCalls();
    private final Server server;
    private final Future<?> review;
    private final ScheduledExecutorService timer;
    private volatile boolean leaving;

    public Machines(Parts parts, MachinePort.Addresses addresses, TlsProvider certificate) {
        writer = new InsightWriter(parts.store(), parts.id(), parts.metrics(), parts.clock(), parts.insightTimer());
        links = links(parts, new DataplaneInsights(writer, parts.clock()));
        var identities =
                new XdsIdentities(parts.trust(), new Dataplanes(parts.store()), parts.clock(), parts.blocking());
        identities.start(parts.insightTimer());
        xds = XdsServer.builder(new XdsAccess(parts.snapshots(), identities))
                .listener(new StreamInsights(Machines::node, writer, parts.clock()).and(parts.streams()))
                .meters(parts.metrics())
                .controlPlane(parts.id())
                .turnsOn(_ -> ServiceRequestContext.current().eventLoop().withoutContext())
                .build();
        timer = parts.timer();
        var _ = xds.tickOn(timer);
        versions = new VersionPolicies(parts.store());
        policies = new StoreFollower(
                parts.store(), Set.of(VersionPolicies.KIND), () -> links.use(versions.current()), "version-policies");
        authorities = new StoreFollower(parts.store(), AUTHORITIES, parts.trust()::look, "authorities");
        parts.trust().follow(parts.model());
        destinations = new DestinationService(parts.model(), GrpcAccess::callersMesh);
        server = MachinePort.server(
                addresses, certificate, links, services(parts), parts.tokens(), calls, () -> leaving);
        review = parts.insightTimer()
                .scheduleWithFixedDelay(this::review, REVIEW.toMillis(), REVIEW.toMillis(), TimeUnit.MILLISECONDS);
        Gauge.builder("parley.link.nodes", links, endpoint -> endpoint.nodes().size())
                .description("Data planes whose link to this control plane is up")
                .register(parts.metrics());
    }

    private static LinkEndpoint links(Parts parts, DataplaneInsights insights) {
        var dataplanes = new Dataplanes(parts.store());
        var unfilled = new UnfilledLinks(parts.timer(), PATIENCE, parts.metrics());
        var config = new SnapshotConfig(parts.snapshots(), unfilled, parts.blocking());
        List<ServiceBinding> bindings = List.of(
                ConfigServerV2.binding(config, insights.and(parts.outcomes())),
                ConfigServerV1.binding(config, insights.and(parts.outcomes())),
                IdentityServer.binding(new MeshCertificates(parts.trust(), dataplanes, parts.blocking())),
                TelemetryServer.binding((node, report) -> {
                    insights.report(node, report);
                    parts.reports().report(node, report);
                }));
        var access = new LinkAccess(parts.tokens(), parts.trust(), dataplanes, parts.clock(), parts.blocking());
        return new LinkEndpoint(
                LinkEndpoint.Settings.of(parts.id()),
                access.authenticator(parts.sharedCertificate()),
                bindings,
                insights,
                parts.clock(),
                () -> ThreadLocalRandom.current().nextLong());
    }

    private Map<MachinePort.Audience, List<ServerServiceDefinition>> services(Parts parts) {
        List<ServerServiceDefinition> discovery = new ArrayList<>(xds.services());
        discovery.addAll(new LoadReporting(new LoadCounters(parts.metrics()), LOAD_INTERVAL, LOAD_STREAMS).services());
        Map<MachinePort.Audience, List<ServerServiceDefinition>> services = new EnumMap<>(MachinePort.Audience.class);
        discovery.add(destinations.bindService());
        services.put(MachinePort.Audience.DATAPLANE, discovery);
        List<ServerServiceDefinition> administration = new ArrayList<>(parts.globals());
        administration.addAll(new ClientStatusService(xds, parts.clock()).services());
        services.put(MachinePort.Audience.ADMINISTRATOR, administration);
        if (!parts.zones().isEmpty()) {
            services.put(MachinePort.Audience.ZONE, parts.zones());
        }
        return services;
    }

    /** Whom a stream serves, as far as that was proved. */
    public static Optional<NodeKey> node(StreamInfo stream) {
        return XdsAccess.node(stream.node());
    }

    /** Begins to serve. */
    public CompletableFuture<Void> start() {
        // Before the first node can ask: what is switched off must not be granted even for a moment.
        links.use(versions.current());
        writer.start();
        policies.start();
        authorities.start();
        return server.start();
    }

    public int port() {
        return server.activeLocalPort(SessionProtocol.HTTPS);
    }

    /** Of the port in clear for local xDS clients, if there is one. */
    public int localXdsPort() {
        return server.activeLocalPort(SessionProtocol.HTTP);
    }

    /** What data planes can agree to. */
    public ServiceCatalog catalog() {
        return links.catalog();
    }

    /** Turns out those whose token was withdrawn. */
    private void review() {
        try {
            links.review();
            calls.review();
        } catch (RuntimeException e) {
            LOG.warn("it could not be found out whose token was withdrawn; trying again", e);
        }
    }

    /** Ends the streams one by one over a time that grows with their number; returns when none is left. */
    private void drain() {
        leaving = true;
        Duration over = drainTime(xds.streamCount());
        xds.drainOn(timer, over)
                .completeOnTimeout(null, over.plus(LAST_ENDS).toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    static Duration drainTime(int streams) {
        Duration fair = DRAIN_PER_STREAM.multipliedBy(streams);
        if (fair.compareTo(SHORTEST_DRAIN) < 0) {
            return SHORTEST_DRAIN;
        }
        return fair.compareTo(LONGEST_DRAIN) > 0 ? LONGEST_DRAIN : fair;
    }

    @Override
    public void close() {
        review.cancel(false);
        policies.close();
        authorities.close();
        drain();
        destinations.close();
        links.close();
        server.stop().join();
        writer.close();
    }
}
