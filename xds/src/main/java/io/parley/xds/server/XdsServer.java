package io.parley.xds.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.NameSets;
import io.parley.xds.server.session.TypePolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Serves snapshots to xDS clients of any age: aggregated streams and streams of one type, state of the world and delta, under the names
 * of v2 and of v3. Put {@link #services()} on a gRPC server, or let {@link #register} do so.
 */
public final class XdsServer {
    /** Who the caller was proven to be: to be set by an interceptor that authenticates. */
    public static final Context.Key<String> PRINCIPAL = Context.key("xds-principal");

    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration DRAIN_TICK = Duration.ofMillis(20);

    private final Environment environment;

    private XdsServer(Builder builder) {
        StreamRegistry registry = new StreamRegistry(builder.limits, builder.ticker.getAsLong());
        environment = new Environment(
                builder.source,
                builder.types,
                builder.limits,
                builder.listener,
                new ServerMetrics(builder.meters, registry.calls()),
                registry,
                new NameSets(),
                builder.controlPlane,
                builder.turns,
                builder.ticker,
                builder.random);
    }

    public static Builder builder(SnapshotSource source) {
        return new Builder(source);
    }

    /** Adds all services, and lets requests be as large and clients ping as often as they need. */
    public void register(ServerBuilder<?> server) {
        services().forEach(server::addService);
        server.maxInboundMessageSize(environment.limits().requestBytes());
        server.permitKeepAliveTime(1, TimeUnit.MINUTES); // grpc-java pings every five
        server.permitKeepAliveWithoutCalls(true);
    }

    /** One definition per service name, with its state-of-the-world and its delta method. */
    public List<ServerServiceDefinition> services() {
        Map<String, ServerServiceDefinition.Builder> services = new LinkedHashMap<>();
        for (DiscoveryMethod method : DiscoveryMethod.all()) {
            services.computeIfAbsent(method.service(), ServerServiceDefinition::builder)
                    .addMethod(descriptor(method), (call, _) -> open(call, method));
        }
        return services.values().stream()
                .map(ServerServiceDefinition.Builder::build)
                .toList();
    }

    private static MethodDescriptor<byte[], EncodedResponse> descriptor(DiscoveryMethod method) {
        return MethodDescriptor.newBuilder(Marshallers.BYTES, Marshallers.RESPONSE)
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(method.fullName())
                .build();
    }

    private ServerCall.Listener<byte[]> open(ServerCall<byte[], EncodedResponse> call, DiscoveryMethod method) {
        Optional<StreamRegistry.Busy> busy =
                environment.registry().admit(environment.ticker().getAsLong());
        if (busy.isPresent()) {
            refuse(call, busy.get());
            return new ServerCall.Listener<>() {};
        }
        Optional<String> principal = Optional.ofNullable(PRINCIPAL.get());
        DiscoveryCall<?, ?> opened = switch (method.variant()) {
            case SOTW -> new DiscoveryCall<>(call, method, Protocol.SOTW, environment, principal);
            case DELTA -> new DiscoveryCall<>(call, method, Protocol.DELTA, environment, principal);
        };
        opened.start();
        return opened;
    }

    /** Each refused client is told another time to come back, or they would all come back together. */
    private void refuse(ServerCall<?, ?> call, StreamRegistry.Busy busy) {
        environment.metrics().refused(busy.reason());
        long spread = Math.max(1000, 2 * busy.retryAfter().toMillis());
        long pause = busy.retryAfter().toMillis() + environment.random().nextLong(spread);
        Metadata trailers = new Metadata();
        trailers.put(PUSHBACK, Long.toString(pause));
        call.close(DiscoveryCall.status(busy.refusal()), trailers);
    }

    /** What every client has acknowledged or rejected. */
    public CompletableFuture<List<StreamState>> states() {
        Queue<StreamState> states = new ConcurrentLinkedQueue<>();
        return tellStates(new StateReader() {
                    @Override
                    public boolean wants(NodeIdentity node) {
                        return true;
                    }

                    @Override
                    public void read(StreamState state) {
                        states.add(state);
                    }
                })
                .thenApply(_ -> List.copyOf(states));
    }

    /**
     * Tells what clients have acknowledged or rejected.
     *
     * @return done when all that are wanted were told
     */
    public CompletableFuture<Void> tellStates(StateReader reader) {
        return CompletableFuture.allOf(environment.registry().calls().stream()
                .map(call -> call.tellState(reader))
                .toArray(CompletableFuture[]::new));
    }

    public int streamCount() {
        return environment.registry().calls().size();
    }

    /** Moves time on; to be called about twice a second, which {@link #tickOn} sees to. */
    public void tick() {
        environment.registry().tick(environment.ticker().getAsLong());
    }

    /** Calls {@link #tick} as often as needed until the future is cancelled. */
    public ScheduledFuture<?> tickOn(ScheduledExecutorService scheduler) {
        return scheduler.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Opens no more streams and ends those that are open, each at its own time within the window. */
    public void drain(Duration over) {
        environment.registry().drain(over, environment.ticker().getAsLong(), environment.random());
    }

    /**
     * Drains without waiting for {@link #tick}, whose pace would bundle the ends.
     *
     * @return done when no stream is left
     */
    public CompletableFuture<Void> drainOn(ScheduledExecutorService scheduler, Duration over) {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        drain(over);
        ScheduledFuture<?> ends = scheduler.scheduleWithFixedDelay(
                () -> {
                    tick();
                    if (streamCount() == 0) {
                        drained.complete(null);
                    }
                },
                0,
                DRAIN_TICK.toMillis(),
                TimeUnit.MILLISECONDS);
        var _ = drained.whenComplete((_, _) -> ends.cancel(false));
        return drained;
    }

    /** How a server is put together. Only the source of snapshots is required. */
    public static final class Builder {
        private final SnapshotSource source;
        private TypePolicy types = TypePolicy.xds();
        private ServerLimits limits = ServerLimits.DEFAULT;
        private StreamListener listener = StreamListener.NONE;
        private MeterRegistry meters = new SimpleMeterRegistry();
        private String controlPlane = "";
        private TurnExecutors turns = TurnExecutors.all(ForkJoinPool.commonPool());
        private LongSupplier ticker = System::nanoTime;
        private RandomGenerator random = RandomGenerator.getDefault();

        private Builder(SnapshotSource source) {
            this.source = source;
        }

        public Builder types(TypePolicy value) {
            types = value;
            return this;
        }

        public Builder limits(ServerLimits value) {
            limits = value;
            return this;
        }

        public Builder listener(StreamListener value) {
            listener = value;
            return this;
        }

        public Builder meters(MeterRegistry value) {
            meters = value;
            return this;
        }

        /** The name under which clients show this server. */
        public Builder controlPlane(String value) {
            controlPlane = value;
            return this;
        }

        /** Where streams take the turns that changes cause: all of them here. */
        public Builder executor(Executor value) {
            return turnsOn(TurnExecutors.all(value));
        }

        /** Where streams take the turns that changes cause. */
        public Builder turnsOn(TurnExecutors value) {
            turns = value;
            return this;
        }

        public Builder ticker(LongSupplier nanoTime) {
            ticker = nanoTime;
            return this;
        }

        public Builder random(RandomGenerator value) {
            random = value;
            return this;
        }

        public XdsServer build() {
            return new XdsServer(this);
        }
    }
}
