package io.parley.sync.global;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.Features;
import io.parley.resource.kind.Kinds;
import io.parley.sync.GlobalSettings;
import io.parley.sync.Tenants;
import io.parley.sync.admin.Answer;
import io.parley.sync.admin.GlobalQuestions;
import io.parley.sync.admin.Question;
import io.parley.sync.admin.ZoneQuestion;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.status.SyncMetrics;
import io.parley.xds.server.session.EncodedResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The global end of zone synchronisation: services to be put on a gRPC server. It knows nothing of ports; the server must let messages be
 * {@value #MAX_MESSAGE_BYTES} bytes long and clients ping every {@value #MIN_PING_SECONDS} seconds, also without calls.
 */
public final class GlobalSync implements AutoCloseable {
    public static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
    public static final int MIN_PING_SECONDS = 10;

    /** What we can do beyond what every peer can. */
    public static final Features FEATURES = Features.of(
            Feature.ZONE_PING_HEALTH,
            Feature.HASH_SUFFIX,
            Feature.PRODUCER_POLICY_FLOW,
            Feature.CHUNKED_STATE,
            Feature.RESUME,
            Feature.PRIORITY_STREAMS,
            Feature.JSON_SPECS);

    /** How long a zone may take to answer a question. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(GlobalSync.class);
    private static final Duration TICK = Duration.ofMillis(250);

    private final Tenants tenants;
    private final GlobalSettings settings;
    private final SyncMetrics metrics;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Map<String, TenantSync> open = new ConcurrentHashMap<>();
    private final ExecutorService executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("global-sync-", 0).factory());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread clockwork;
    private final List<ServerServiceDefinition> services;
    private volatile String address = "";

    public GlobalSync(Tenants tenants, ZoneAuthenticator authenticator, GlobalSettings settings, MeterRegistry meters) {
        this.tenants = tenants;
        this.settings = settings;
        this.metrics = new SyncMetrics(meters, Kinds.all());
        this.clock = InstantSource.system();
        this.ticker = System::nanoTime;
        Gatekeeper gatekeeper = new Gatekeeper(authenticator, this::tenant, metrics);
        Surroundings surroundings = new Surroundings(gatekeeper, settings, FEATURES, metrics, executor, ticker);
        this.services = services(surroundings);
        this.clockwork = Thread.ofVirtual().name("global-sync-clock").start(this::tick);
    }

    /** One definition per service. */
    public List<ServerServiceDefinition> services() {
        return services;
    }

    private static List<ServerServiceDefinition> services(Surroundings surroundings) {
        GlobalStreams streams = new GlobalStreams(surroundings);
        ServerServiceDefinition.Builder sync = ServerServiceDefinition.builder(SyncMethods.SYNC_SERVICE);
        ServerServiceDefinition.Builder global = ServerServiceDefinition.builder(SyncMethods.GLOBAL_SERVICE);
        addStreams(sync, SyncMethods.SYNC_SERVICE, streams);
        addStreams(global, SyncMethods.GLOBAL_SERVICE, streams);
        new GlobalCalls(surroundings).addTo(global);
        for (Question.Topic topic : Question.Topic.values()) {
            global.addMethod(
                    SyncMethods.bytes(SyncMethods.GLOBAL_SERVICE, topic.method()),
                    (call, headers) -> streams.questions(topic, call, headers));
        }
        ServerServiceDefinition.Builder multiplex = ServerServiceDefinition.builder(SyncMethods.MULTIPLEX_SERVICE)
                .addMethod(
                        SyncMethods.bytes(SyncMethods.MULTIPLEX_SERVICE, SyncMethods.STREAM_MESSAGE),
                        streams::multiplexed);
        return List.of(sync.build(), global.build(), multiplex.build());
    }

    private static void addStreams(ServerServiceDefinition.Builder service, String name, GlobalStreams streams) {
        MethodDescriptor<byte[], EncodedResponse> toZone = SyncMethods.serverSends(name, SyncMethods.GLOBAL_TO_ZONE);
        MethodDescriptor<byte[], byte[]> toGlobal = SyncMethods.bytes(name, SyncMethods.ZONE_TO_GLOBAL);
        service.addMethod(toZone, streams::globalToZone).addMethod(toGlobal, streams::zoneToGlobal);
    }

    /** Services for other global control planes of the same store. Who may call them is for the server to see to. */
    public List<ServerServiceDefinition> servicesForGlobals() {
        return List.of(GlobalQuestions.service(asked -> ask(asked)
                .orElseGet(() -> CompletableFuture.completedFuture(
                        new Answer.Failed("zone " + asked.zone() + " is not connected to this control plane")))));
    }

    /** Looks after a tenant from now on, also before the first of its zones connects: what was left open is closed. */
    public void serve(String tenant) {
        var _ = tenant(tenant);
    }

    /** Where other global control planes of the same store reach this one, {@code HOST:PORT}. */
    public void reachedAt(String newAddress) {
        address = newAddress;
    }

    /** Asks a zone about one of its proxies; nothing if it is not connected to this instance. */
    public Optional<CompletableFuture<Answer>> ask(ZoneQuestion asked) {
        return tenant(asked.tenant())
                .flatMap(found -> found.asking(asked.zone(), asked.question().topic()))
                .map(end -> end.ask(asked.question(), PATIENCE));
    }

    private Optional<TenantSync> tenant(String name) {
        TenantSync present = open.get(name);
        if (present != null || closing.getCount() == 0) {
            return Optional.ofNullable(present);
        }
        return tenants.find(name)
                .map(store -> open.computeIfAbsent(
                        name, _ -> new TenantSync(name, store, settings, metrics, clock, ticker, () -> address)));
    }

    private void tick() {
        try {
            while (!closing.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                open.values().forEach(GlobalSync::tick);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** A fault in what concerns one tenant must not stop the clock for all. */
    private static void tick(TenantSync tenant) {
        try {
            tenant.tick();
        } catch (RuntimeException e) {
            LOG.error("fault while looking after the zones of a tenant: going on", e);
        }
    }

    /** Ends all streams; zones come back to another instance, or to this one when it has restarted. */
    @Override
    public void close() {
        closing.countDown();
        open.values().forEach(TenantSync::close);
        executor.shutdown();
        try {
            var _ = clockwork.join(Duration.ofSeconds(5));
            var _ = executor.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
