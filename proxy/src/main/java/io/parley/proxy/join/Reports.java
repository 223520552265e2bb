package io.parley.proxy.join;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.link.telemetry.NodeReport;
import io.parley.proxy.AddressText;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.proxy.listen.Proxy;
import io.parley.xds.type.ApiVersion;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a proxy tells its control plane of itself. */
final class Reports {
    private static final int MAX_LEARNED = 500;

    private final Proxy proxy;
    private final XdsConfig config;
    private final Supplier<Map<String, String>> agreed;
    private final Instant startedAt;

    Reports(Proxy proxy, XdsConfig config, Supplier<Map<String, String>> agreed, Instant startedAt) {
        this.proxy = proxy;
        this.config = config;
        this.agreed = agreed;
        this.startedAt = startedAt;
    }

    NodeReport next() {
        Map<String, String> applied = new HashMap<>();
        config.versions().forEach((type, version) -> applied.put(type.url(ApiVersion.V3), version));
        return new NodeReport(
                startedAt,
                agreed.get(),
                applied,
                config.lastRefusal(),
                Stream.of(learned(), complaints(), unbound())
                        .flatMap(each -> each)
                        .toList(),
                Map.of("tcp_open_total", proxy.machinery().sessions().opened()));
    }

    /** Targets whose servers speak first: somebody may want to declare them. */
    private Stream<NodeReport.Made> learned() {
        return proxy.machinery().silence().report().entrySet().stream()
                .limit(MAX_LEARNED)
                .map(entry -> new NodeReport.Made(
                        entry.getKey(),
                        new Decision<>(
                                "opaque",
                                "its server spoke first on " + entry.getValue() + " connections",
                                Source.ofRule("server-spoke-first"))));
    }

    /** Listeners that cannot be where they are wanted. */
    private Stream<NodeReport.Made> unbound() {
        return proxy.unbound().stream()
                .limit(MAX_LEARNED)
                .map(one -> new NodeReport.Made(
                        one.listener(),
                        new Decision<>(
                                one.obstacle().toString(),
                                "a proxy cannot listen on " + AddressText.of(one.address()) + ": " + one.message(),
                                Source.ofRule("listen"))));
    }

    /** Clusters that requests cannot be sent to as they are declared: somebody must declare them otherwise. */
    private Stream<NodeReport.Made> complaints() {
        return proxy.machinery().telemetry().http().complaints().all().stream()
                .limit(MAX_LEARNED)
                .map(complaint -> new NodeReport.Made(
                        complaint.cluster(),
                        new Decision<>(
                                "unusable",
                                complaint.text() + " (" + complaint.count() + " times)",
                                Source.ofRule(complaint.rule()))));
    }
}
