package io.parley.control.serve;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.server.Server;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.control.destination.DestinationService;
import io.parley.control.identity.MeshAuthorities;
import io.parley.control.identity.MeshCertificates;
import io.parley.control.insight.DataplaneInsights;
import io.parley.control.insight.InsightWriter;
import io.parley.control.insight.StreamInsights;
import io.parley.control.node.Dataplanes;
import io.parley.control.snapshot.ModelFeed;
import io.parley.link.config.ConfigServerV1;
import io.parley.link.config.ConfigServerV2;
import io.parley.link.identity.IdentityServer;
import io.parley.link.server.LinkEndpoint;
import io.parley.link.server.ServiceBinding;
import io.parley.link.telemetry.TelemetryServer;
import io.parley.link.telemetry.TelemetrySink;
import io.parley.store.ResourceStore;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** All that machines are served with, on one port: the links of data planes and the streams of xDS clients. */
public final class Machines implements AutoCloseable {
    private static final Duration LOAD_INTERVAL = Duration.ofSeconds(10);
    private static final int LOAD_STREAMS = 100_000;
    private static final Duration DRAIN = Duration.ofSeconds(1);

    /**
     * What it is built on.
     *
     * @param id what this control plane calls itself
     * @param sharedCertificate of data planes that have none of their own; null if there are none
     * @param reports who else is told what data planes report
     * @param zones services for zones that follow this control plane; none if no zone may
     * @param timer for what happens at intervals; must not be blocked
     * @param insightTimer the insights' own, which the store may block
     */
    public record Parts(
            String id,
            ResourceStore store,
            NodeTokens tokens,
            MeshAuthorities authorities,
            NodeSnapshots snapshots,
            ModelFeed model,
            @Nullable X509Certificate sharedCertificate,
            TelemetrySink reports,
            MeterRegistry metrics,
            Clock clock,
            List<ServerServiceDefinition> zones,
            ExecutorService blocking,
            ScheduledExecutorService timer,
            ScheduledExecutorService insightTimer) {}

    private final LinkEndpoint links;
    private final XdsServer xds;
    private final InsightWriter writer;
    private final VersionPolicies versions;
    private final StoreFollower policies;
    private final DestinationService destinations;
    private final Server server;

    public Machines(Parts parts, MachinePort.Addresses addresses, TlsProvider certificate) {
        writer = new InsightWriter(parts.store(), parts.id(), parts.metrics(), parts.clock(), parts.insightTimer());
        links = links(parts, new DataplaneInsights(writer, parts.clock()));
        xds = XdsServer.builder(new XdsAccess(parts.snapshots()))
                .listener(new StreamInsights(stream -> XdsAccess.node(stream.node()), writer, parts.clock()))
                .meters(parts.metrics())
                .controlPlane(parts.id())
                .build();
        var _ = xds.tickOn(parts.timer());
        versions = new VersionPolicies(parts.store());
        policies = new StoreFollower(
                parts.store(), Set.of(VersionPolicies.KIND), () -> links.use(versions.current()), "version-policies");
        destinations = new DestinationService(parts.model(), GrpcAccess::callersMesh);
        server = MachinePort.server(addresses, certificate, links, services(parts), parts.tokens());
        Gauge.builder("parley.link.nodes", links, endpoint -> endpoint.nodes().size())
                .description("Data planes whose link to this control plane is up")
                .register(parts.metrics());
    }

    private static LinkEndpoint links(Parts parts, DataplaneInsights insights) {
        var dataplanes = new Dataplanes(parts.store());
        var config = new SnapshotConfig(parts.snapshots(), parts.blocking());
        List<ServiceBinding> bindings = List.of(
                ConfigServerV2.binding(config, insights),
                ConfigServerV1.binding(config, insights),
                IdentityServer.binding(new MeshCertificates(parts.authorities(), dataplanes, parts.blocking())),
                TelemetryServer.binding((node, report) -> {
                    insights.report(node, report);
                    parts.reports().report(node, report);
                }));
        var access = new LinkAccess(parts.tokens(), parts.authorities(), dataplanes, parts.clock(), parts.blocking());
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
        services.put(MachinePort.Audience.ADMINISTRATOR, List.of(new ClientStatusService(xds).bindService()));
        if (!parts.zones().isEmpty()) {
            services.put(MachinePort.Audience.ZONE, parts.zones());
        }
        return services;
    }

    /** Begins to serve. */
    public CompletableFuture<Void> start() {
        // Before the first node can ask: what is switched off must not be granted even for a moment.
        links.use(versions.current());
        writer.start();
        policies.start();
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

    @Override
    public void close() {
        policies.close();
        xds.drain(DRAIN);
        destinations.close();
        links.close();
        server.stop().join();
        writer.close();
    }
}
