package io.parley.control.policy.trace;

import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.flag;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.GrpcService;
import io.envoyproxy.envoy.config.trace.v3.DatadogConfig;
import io.envoyproxy.envoy.config.trace.v3.OpenTelemetryConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig.CollectorEndpointVersion;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.type.tracing.v3.CustomTag;
import io.envoyproxy.envoy.type.v3.Percent;
import io.parley.control.draft.Collectors;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.trace.Backend;
import io.parley.resource.policy.trace.MeshTrace;
import io.parley.resource.policy.trace.Tracing;
import java.math.BigDecimal;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Traces requests in both directions. */
public final class TraceEffect implements PolicyEffect<Tracing> {
    public static final PolicyKind<Tracing> KIND = PolicyKind.proxy("MeshTrace", MeshTrace.READER);

    private static final int OTLP_PORT = 4317;
    private static final int HTTP_PORT = 80;
    private static final String NO_TLS = "they send traces in clear: the collector must not want TLS";

    /** A tracer by the name that Envoy knows it by. */
    private record Tracer(String name, Message conf) {}

    @Override
    public PolicyKind<Tracing> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<Tracing> matched, ProxyDraft draft) {
        matched.proxy()
                .conf()
                .filter(tracing ->
                        draft.flavor() != Flavor.PARLEY || notApplied(tracing).isEmpty())
                .ifPresent(tracing -> Optional.ofNullable(tracing.backend())
                        .flatMap(backend -> tracer(backend, draft))
                        .ifPresent(tracer -> {
                            HttpConnectionManager.Tracing conf = conf(tracing, tracer, draft);
                            draft.outbounds()
                                    .forEach(outbound -> outbound.http().setTracing(conf));
                            draft.inbounds().forEach(inbound -> inbound.http().setTracing(conf));
                        }));
    }

    /** Why our own proxies do nothing of it; empty if they do all of it. They would refuse what they cannot do, listeners included. */
    public static Optional<String> notApplied(Tracing tracing) {
        return switch (tracing.backend()) {
            case Backend.Datadog _ -> Optional.of("they do not speak Datadog's protocol (use OpenTelemetry or Zipkin)");
            case Backend.Zipkin zipkin
            when !zipkin.apiVersion().equals("httpJson") ->
                Optional.of("of Zipkin's formats they speak httpJson, not " + zipkin.apiVersion());
            case Backend.Zipkin zipkin
            when Boolean.TRUE.equals(zipkin.sharedSpanContext()) ->
                Optional.of("they share no spans: sharedSpanContext must be false or absent");
            case Backend.Zipkin zipkin when zipkin.url().startsWith("https:") -> Optional.of(NO_TLS);
            case Backend.OpenTelemetry(String endpoint, var _)
            when endpoint == null -> Optional.of("a backendRef is not followed: name the endpoint");
            case Backend.OpenTelemetry(String endpoint, var _)
            when endpoint.startsWith("https:") -> Optional.of(NO_TLS);
            case null, default -> Optional.empty();
        };
    }

    private static HttpConnectionManager.Tracing conf(Tracing tracing, Tracer tracer, ProxyDraft draft) {
        HttpConnectionManager.Tracing.Builder conf = HttpConnectionManager.Tracing.newBuilder();
        conf.getProviderBuilder().setName(tracer.name()).setTypedConfig(any(tracer.conf()));
        Tracing.Sampling sampling = tracing.sampling();
        conf.setOverallSampling(percent(sampling == null ? null : sampling.overall()))
                .setClientSampling(percent(sampling == null ? null : sampling.client()))
                .setRandomSampling(percent(sampling == null ? null : sampling.random()));
        tracing.tags().forEach(tag -> conf.addCustomTags(tag(tag)));
        if (draft.flavor() == Flavor.PARLEY && tracing.backend() instanceof Backend.Zipkin) {
            // Envoy knows its own name; ours is told, and Zipkin's tracer has no other place for it.
            conf.addCustomTags(tag(new Tracing.LiteralTag("service.name", service(draft))));
        }
        return conf.build();
    }

    private static Percent percent(@Nullable BigDecimal share) {
        return Percent.newBuilder()
                .setValue(share == null ? 100 : share.doubleValue())
                .build();
    }

    private static CustomTag tag(Tracing.Tag tag) {
        CustomTag.Builder custom = CustomTag.newBuilder().setTag(tag.name());
        switch (tag) {
            case Tracing.LiteralTag(var _, String value) ->
                custom.getLiteralBuilder().setValue(value);
            case Tracing.HeaderTag(var _, String header, String absent) ->
                custom.getRequestHeaderBuilder().setName(header).setDefaultValue(absent == null ? "" : absent);
        }
        return custom.build();
    }

    private static Optional<Tracer> tracer(Backend backend, ProxyDraft draft) {
        return switch (backend) {
            case Backend.Zipkin zipkin -> Optional.of(zipkin(zipkin, draft));
            case Backend.Datadog(String url, boolean _) -> {
                URI uri = URI.create(url);
                yield Optional.of(new Tracer(
                        "envoy.tracers.datadog",
                        DatadogConfig.newBuilder()
                                .setCollectorCluster(draft.collector(Collectors.plain(uri.getHost(), port(uri))))
                                .setServiceName(service(draft))
                                .build()));
            }
            case Backend.OpenTelemetry(String endpoint, var _) ->
                endpoint == null ? Optional.empty() : Optional.of(openTelemetry(endpoint, draft));
        };
    }

    private static Tracer zipkin(Backend.Zipkin zipkin, ProxyDraft draft) {
        URI uri = URI.create(zipkin.url());
        ZipkinConfig.Builder conf = ZipkinConfig.newBuilder()
                .setCollectorCluster(draft.collector(Collectors.plain(uri.getHost(), port(uri))))
                .setCollectorEndpoint(uri.getRawPath().isEmpty() ? "/api/v2/spans" : uri.getRawPath())
                .setCollectorHostname(uri.getHost() + ":" + port(uri))
                .setTraceId128Bit(zipkin.traceId128bit())
                .setCollectorEndpointVersion(
                        zipkin.apiVersion().equals("httpProto")
                                ? CollectorEndpointVersion.HTTP_PROTO
                                : CollectorEndpointVersion.HTTP_JSON);
        // Our own share none, and are told nothing of it.
        if (zipkin.sharedSpanContext() != null && draft.flavor() != Flavor.PARLEY) {
            conf.setSharedSpanContext(flag(zipkin.sharedSpanContext()));
        }
        return new Tracer("envoy.tracers.zipkin", conf.build());
    }

    private static Tracer openTelemetry(String endpoint, ProxyDraft draft) {
        URI uri = URI.create(endpoint.contains("://") ? endpoint : "grpc://" + endpoint);
        int port = uri.getPort() == -1 ? OTLP_PORT : uri.getPort();
        GrpcService.Builder service = GrpcService.newBuilder();
        service.getEnvoyGrpcBuilder().setClusterName(draft.collector(Collectors.grpc(uri.getHost(), port)));
        return new Tracer(
                "envoy.tracers.opentelemetry",
                OpenTelemetryConfig.newBuilder()
                        .setGrpcService(service)
                        .setServiceName(service(draft))
                        .build());
    }

    private static String service(ProxyDraft draft) {
        return draft.dataplane().services().stream().findFirst().orElse("parley");
    }

    private static int port(URI uri) {
        return uri.getPort() == -1 ? HTTP_PORT : uri.getPort();
    }
}
