package io.parley.proxy.config.xds.http;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.core.v3.GrpcService;
import io.envoyproxy.envoy.config.trace.v3.OpenTelemetryConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig.CollectorEndpointVersion;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing;
import io.envoyproxy.envoy.type.tracing.v3.CustomTag;
import io.envoyproxy.envoy.type.v3.Percent;
import io.parley.proxy.trace.TraceConfig;
import io.parley.proxy.trace.TraceConfig.Collector;
import io.parley.proxy.trace.TraceConfig.Sampling;
import io.parley.proxy.trace.TraceConfig.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Reads which requests are traced, and who is sent the spans. */
final class TraceReader {
    private static final String UNNAMED = "parley";
    private static final double PERCENT = Sampling.ALL / 100.0;

    private TraceReader() {}

    static TraceConfig read(Tracing tracing, Problems problems) {
        Any provider = tracing.getProvider().getTypedConfig();
        Problems there = problems.under("provider.typed_config");
        Collector collector = new Collector.Otlp("");
        String service = "";
        try {
            if (provider.is(OpenTelemetryConfig.class)) {
                OpenTelemetryConfig config = provider.unpack(OpenTelemetryConfig.class);
                collector = new Collector.Otlp(cluster(config.getGrpcService(), there.under("grpc_service")));
                service = config.getServiceName();
            } else if (provider.is(ZipkinConfig.class)) {
                collector = zipkin(provider.unpack(ZipkinConfig.class), there);
            } else {
                there.add("", "'" + provider.getTypeUrl() + "' (expected: OpenTelemetryConfig or ZipkinConfig)");
            }
        } catch (InvalidProtocolBufferException e) {
            there.add("", "unreadable: " + e.getMessage());
        }
        Sampling sampling = new Sampling(
                share(tracing.hasOverallSampling(), tracing.getOverallSampling()),
                share(tracing.hasClientSampling(), tracing.getClientSampling()),
                share(tracing.hasRandomSampling(), tracing.getRandomSampling()));
        List<Tag> tags = tags(tracing.getCustomTagsList(), problems);
        return new TraceConfig(collector, service.isEmpty() ? named(tags) : service, sampling, tags);
    }

    /** Zipkin's tracer has no place for a name, but a tag can say it. */
    private static String named(List<Tag> tags) {
        return tags.stream()
                .flatMap(tag -> tag instanceof Tag.Literal(var name, var value) && name.equals("service.name")
                        ? Stream.of(value)
                        : Stream.empty())
                .findFirst()
                .orElse(UNNAMED);
    }

    /** The cluster of a collector that is called by gRPC. */
    static String cluster(GrpcService service, Problems problems) {
        String name = service.getEnvoyGrpc().getClusterName();
        if (name.isEmpty()) {
            problems.add("envoy_grpc.cluster_name", "empty (expected: the name of a cluster)");
        }
        return name;
    }

    private static Collector zipkin(ZipkinConfig config, Problems problems) {
        if (config.getCollectorEndpointVersion() != CollectorEndpointVersion.HTTP_JSON) {
            problems.add("collector_endpoint_version", config.getCollectorEndpointVersion() + " (expected: HTTP_JSON)");
        }
        if (config.getCollectorCluster().isEmpty()
                || !config.getCollectorEndpoint().startsWith("/")) {
            problems.add("", "no collector_cluster, or no path in collector_endpoint (expected: both)");
        }
        String host = WireText.host(config.getCollectorHostname(), problems.under("collector_hostname"));
        return new Collector.Zipkin(
                config.getCollectorCluster(),
                host.isEmpty() ? config.getCollectorCluster() : host,
                WireText.path(config.getCollectorEndpoint(), problems.under("collector_endpoint")));
    }

    /** Everything, if nothing is said. */
    private static int share(boolean said, Percent percent) {
        return said ? Math.clamp(Math.round(percent.getValue() * PERCENT), 0, Sampling.ALL) : Sampling.ALL;
    }

    private static List<Tag> tags(List<CustomTag> custom, Problems problems) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < custom.size(); i++) {
            CustomTag tag = custom.get(i);
            switch (tag.getTypeCase()) {
                case LITERAL ->
                    tags.add(new Tag.Literal(tag.getTag(), tag.getLiteral().getValue()));
                case REQUEST_HEADER -> {
                    CustomTag.Header header = tag.getRequestHeader();
                    String absent = header.getDefaultValue();
                    tags.add(new Tag.Field(
                            tag.getTag(), header.getName().toLowerCase(Locale.ROOT), absent.isEmpty() ? null : absent));
                }
                case ENVIRONMENT, METADATA, TYPE_NOT_SET ->
                    problems.add(
                            "custom_tags[" + i + "]", tag.getTypeCase() + " (expected: literal or request_header)");
            }
        }
        return tags;
    }
}
