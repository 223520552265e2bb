package io.parley.sync.status;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.kind.Kind;
import io.parley.sync.cache.StoreFollower;
import io.parley.sync.copy.Verdict;
import io.parley.sync.stream.StreamCounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What synchronisation counts. Kinds that no list of ours has are counted together: peers must not be able to make up series. */
public final class SyncMetrics implements StreamCounts {
    private static final String KIND = "kind";
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Set<String> kinds;

    public SyncMetrics(MeterRegistry registry, List<Kind> kinds) {
        this.registry = registry;
        this.kinds = kinds.stream().map(Kind::name).collect(Collectors.toUnmodifiableSet());
    }

    /** Shows how old the oldest change is that waits to be sent. */
    public void follow(String tenant, Optional<PriorityClass> only, StoreFollower follower, List<Kind> followed) {
        for (Kind kind : followed) {
            Gauge.builder(
                            "parley.sync.staleness.seconds",
                            follower,
                            each -> (double) each.staleness(kind.id()).toMillis() / 1000)
                    .tag(KIND, kind.name())
                    .tag("tenant", tenant)
                    .tag("streams", only.map(PriorityClass::text).orElse("all"))
                    .description("Age of the oldest change that is not published to peers yet")
                    .register(registry);
        }
    }

    /** Shows how many zones of a tenant are connected here. */
    public void connected(String tenant, Supplier<Number> zones) {
        Gauge.builder("parley.sync.zones.connected", zones)
                .tag("tenant", tenant)
                .description("Zones that are connected to this control plane")
                .register(registry);
    }

    /** Shows for how long a zone has been without what it should have. */
    public void zone(String tenant, ZoneStatus status) {
        Gauge.builder(
                        "parley.sync.zone.staleness.seconds",
                        status,
                        each -> (double) each.staleness().toMillis() / 1000)
                .tag("tenant", tenant)
                .tag("zone", status.zone())
                .description("Age of the oldest answer that the zone has not acknowledged, or time since it left")
                .register(registry);
    }

    @Override
    public void sent(String kind, int resources, int bytes) {
        registry.counter("parley.sync.sent.responses", KIND, known(kind)).increment();
        registry.counter("parley.sync.sent.resources", KIND, known(kind)).increment(resources);
        registry.counter("parley.sync.sent.bytes", KIND, known(kind)).increment(bytes);
    }

    @Override
    public void acknowledged(String kind, Duration after) {
        Timer.builder("parley.sync.acknowledged")
                .tag(KIND, known(kind))
                .description("Time from sending changes to hearing that they were taken")
                .register(registry)
                .record(after);
    }

    @Override
    public void rejected(String kind, String message) {
        registry.counter("parley.sync.sent.rejected", KIND, known(kind)).increment();
    }

    @Override
    public void received(String kind, int resources, Verdict verdict) {
        registry.counter("parley.sync.received.resources", KIND, known(kind)).increment(resources);
        registry.counter("parley.sync.received.rejected", KIND, known(kind))
                .increment(verdict.problems().size());
    }

    @Override
    public void unsendable(String kind, int bytes, int resources) {
        registry.counter("parley.sync.unsendable", KIND, known(kind)).increment();
    }

    @Override
    public void withheld(String kind, int resources) {
        registry.counter("parley.sync.withheld", KIND, known(kind)).increment();
    }

    @Override
    public void overflowed() {
        registry.counter("parley.sync.overflows").increment();
    }

    /** A peer was not let in. */
    public void refused(String reason) {
        registry.counter("parley.sync.refused", "reason", reason).increment();
    }

    /** Something said that it comes from another zone than the one that sent it. */
    public void attributionRewritten() {
        registry.counter("parley.sync.attribution.rewrites").increment();
    }

    private String known(String kind) {
        return kinds.contains(kind) ? kind : OTHER;
    }
}
