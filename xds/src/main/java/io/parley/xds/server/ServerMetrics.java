package io.parley.xds.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What operators watch of an xDS server. Types that clients invent share one label, or they could make series without end. */
final class ServerMetrics implements DiscoveryStream.Timing {
    private static final double KIB = 1024;

    private final MeterRegistry registry;
    private final Timer pushTime;
    private final Timer convergenceTime;
    private final Counter writeTimeouts;
    private final Counter unfilled;
    private final Map<String, OfType> byType = new ConcurrentHashMap<>();
    private final OfType other;

    private record OfType(DistributionSummary size, Counter rejects, Counter expiredNonces, Timer ackTime) {}

    ServerMetrics(MeterRegistry registry, Collection<?> streams) {
        this.registry = registry;
        Gauge.builder("parley.xds.connections", streams, Collection::size)
                .description("discovery streams that are open")
                .register(registry);
        pushTime = Timer.builder("parley.xds.push.time")
                .description("from a change to its last answer being handed to the transport")
                .register(registry);
        convergenceTime = Timer.builder("parley.xds.convergence.time")
                .description("from a change to its acknowledgement")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(30))
                .register(registry);
        writeTimeouts = Counter.builder("parley.xds.write.timeouts")
                .description("streams cut off because their reader had stopped")
                .register(registry);
        unfilled = Counter.builder("parley.xds.unfilled.streams")
                .description("streams of nodes for which there was nothing to serve for some seconds")
                .register(registry);
        other = meters("other");
        for (ResourceType type : ResourceType.values()) {
            OfType meters = meters(type.name().toLowerCase(Locale.ROOT));
            for (ApiVersion api : ApiVersion.values()) {
                byType.put(type.url(api), meters);
            }
        }
    }

    void pushed(EncodedResponse response) {
        of(response.typeUrl()).size.record(response.size());
    }

    void acknowledged(String typeUrl, Duration after) {
        of(typeUrl).ackTime.record(after);
    }

    void rejected(String typeUrl) {
        of(typeUrl).rejects.increment();
    }

    void expiredNonce(String typeUrl) {
        of(typeUrl).expiredNonces.increment();
    }

    @Override
    public void pushed(Duration sinceChange) {
        pushTime.record(sinceChange);
    }

    @Override
    public void converged(Duration sinceChange) {
        convergenceTime.record(sinceChange);
    }

    void writeTimedOut() {
        writeTimeouts.increment();
    }

    void unfilled() {
        unfilled.increment();
    }

    void refused(String reason) {
        registry.counter("parley.xds.refused.streams", "reason", reason).increment();
    }

    private OfType of(String typeUrl) {
        return byType.getOrDefault(typeUrl, other);
    }

    private OfType meters(String type) {
        DistributionSummary size = DistributionSummary.builder("parley.xds.config.size.bytes")
                .tag("type", type)
                .baseUnit("bytes")
                .serviceLevelObjectives(KIB, 8 * KIB, 64 * KIB, 512 * KIB, 4 * KIB * KIB, 32 * KIB * KIB)
                .register(registry);
        FunctionCounter.builder("parley.xds.pushes", size, DistributionSummary::count)
                .tag("type", type)
                .register(registry);
        return new OfType(
                size,
                registry.counter("parley.xds.rejects", "type", type),
                registry.counter("parley.xds.expired.nonces", "type", type),
                registry.timer("parley.xds.ack.time", "type", type));
    }
}
