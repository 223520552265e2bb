package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.accesslog.v3.AccessLog;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.trace.v3.DatadogConfig;
import io.envoyproxy.envoy.config.trace.v3.OpenTelemetryConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig;
import io.envoyproxy.envoy.extensions.access_loggers.file.v3.FileAccessLog;
import io.envoyproxy.envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.type.v3.Percent;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.http.Telling;
import io.parley.proxy.log.LogConfig;
import io.parley.proxy.log.LogConfig.Place;
import io.parley.proxy.trace.TraceConfig;
import io.parley.proxy.trace.TraceConfig.Collector;
import io.parley.proxy.trace.TraceConfig.Sampling;
import io.parley.proxy.trace.TraceConfig.Tag;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How loggers and tracers are read, and what is refused of them. */
class TellingTest {
    private final List<ProxyConfig> told = new ArrayList<>();
    private final XdsConfig config = new XdsConfig(Local.NOTHING, told::add);

    private static AccessLog file(String path, String format) {
        FileAccessLog.Builder file = FileAccessLog.newBuilder().setPath(path);
        file.getLogFormatBuilder().getTextFormatSourceBuilder().setInlineString(format);
        return logger(file.build());
    }

    private static AccessLog logger(Message config) {
        return AccessLog.newBuilder().setTypedConfig(Any.pack(config)).build();
    }

    private static HttpConnectionManager.Builder manager() {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        var host = manager.getRouteConfigBuilder()
                .addVirtualHostsBuilder()
                .setName("all")
                .addDomains("*");
        var route = host.addRoutesBuilder();
        route.getMatchBuilder().setPrefix("/");
        route.getRouteBuilder().setCluster("a");
        return manager;
    }

    private static HttpConnectionManager.Builder traced(Message provider) {
        HttpConnectionManager.Builder manager = manager();
        manager.getTracingBuilder().getProviderBuilder().setTypedConfig(Any.pack(provider));
        return manager;
    }

    private static FilterChain chain(HttpConnectionManager.Builder manager) {
        return FilterChain.newBuilder()
                .addFilters(filter("http", manager.build()))
                .build();
    }

    private Map<String, String> change(FilterChain chain) {
        config.release();
        config.change(ResourceType.CLUSTER, "1", bytes(staticCluster("a", 1), staticCluster("b", 2)), List.of());
        return config.change(
                ResourceType.LISTENER,
                "1",
                bytes(outbound("outbound:a", 0, chain).build()),
                List.of());
    }

    private OutboundTarget target(FilterChain chain) {
        assertThat(change(chain)).isEmpty();
        return ((Routing.Fixed) told.getLast().listeners().getFirst().routing()).target();
    }

    private Telling telling(HttpConnectionManager.Builder manager) {
        return Objects.requireNonNull(target(chain(manager)).http()).telling();
    }

    private String refusal(FilterChain chain) {
        return change(chain).getOrDefault("outbound:a", "");
    }

    @Test
    void loggersGoToFilesSocketsAndCollectors() {
        OpenTelemetryAccessLogConfig.Builder otlp = OpenTelemetryAccessLogConfig.newBuilder();
        otlp.getCommonConfigBuilder()
                .getGrpcServiceBuilder()
                .getEnvoyGrpcBuilder()
                .setClusterName("b");
        otlp.getBodyBuilder().setStringValue("%PROTOCOL%");
        Telling telling = telling(manager()
                .addAccessLog(file("/tmp/a.log", "%REQ(:METHOD)% %RESP(X-A)%"))
                .addAccessLog(file("tcp://logs:5000", "x"))
                .addAccessLog(
                        logger(FileAccessLog.newBuilder().setPath("/tmp/b").build()))
                .addAccessLog(logger(otlp.build())));
        assertThat(telling.logs())
                .extracting(log ->
                        log instanceof LogConfig.Lines lines ? lines.place().toString() : "collector")
                .containsExactly("/tmp/a.log", "tcp://logs:5000", "/tmp/b", "collector");
        assertThat(telling.requestFields()).contains(":method", "user-agent", "x-envoy-original-path", ":path");
        assertThat(telling.answerFields()).contains("x-a");
    }

    @Test
    void aBodyOfValuesIsReadToItsLeaves() {
        OpenTelemetryAccessLogConfig.Builder otlp = OpenTelemetryAccessLogConfig.newBuilder();
        otlp.getCommonConfigBuilder()
                .getGrpcServiceBuilder()
                .getEnvoyGrpcBuilder()
                .setClusterName("b");
        var member = otlp.getBodyBuilder().getKvlistValueBuilder().addValuesBuilder();
        var leaf = member.setKey("who").getValueBuilder().getArrayValueBuilder().addValuesBuilder();
        leaf.setStringValue("%REQ(X-WHO)%");
        assertThat(telling(manager().addAccessLog(logger(otlp.build()))).requestFields())
                .contains("x-who");

        leaf.setStringValue("%NONSENSE%");
        assertThat(refusal(chain(manager().addAccessLog(logger(otlp.build())))))
                .contains("body.kvlist_value.values[who].array_value.values[0]: %NONSENSE% is not understood");

        leaf.setIntValue(7);
        otlp.getAttributesBuilder()
                .addValuesBuilder()
                .setKey("n")
                .getValueBuilder()
                .setIntValue(7);
        assertThat(refusal(chain(manager().addAccessLog(logger(otlp.build())))))
                .contains("attributes.values[n]: INT_VALUE (expected: string_value)");
    }

    @Test
    void whatIsSaidBehindAManagerHoldsForBytes() {
        TcpProxy tcp = TcpProxy.newBuilder()
                .setStatPrefix("x")
                .setCluster("b")
                .addAccessLog(file("/tmp/tcp.log", "%BYTES_SENT%"))
                .build();
        OutboundTarget target = target(
                chain(manager()).toBuilder().addFilters(filter("tcp", tcp)).build());
        assertThat(target.http()).isNotNull();
        assertThat(target.cluster()).isEqualTo("b");
        assertThat(target.raw().logs())
                .singleElement()
                .isInstanceOfSatisfying(
                        LogConfig.Lines.class,
                        lines -> assertThat(lines.place()).isEqualTo(new Place.File("/tmp/tcp.log")));
    }

    @Test
    void whatCannotBeLoggedIsRefusedByNameAndPath() {
        String at = "filter_chains[0].filters[0].typed_config.access_log[0].typed_config";
        assertThat(refusal(chain(manager().addAccessLog(file("/tmp/a", "%DYNAMIC_METADATA(x)%")))))
                .contains(at + ".log_format.text_format_source: %DYNAMIC_METADATA% is not understood");
        assertThat(refusal(chain(manager().addAccessLog(file("relative", "x")))))
                .contains(at + ".path: relative (expected: an absolute path");
        assertThat(refusal(chain(manager().addAccessLog(file("tcp://nowhere", "x")))))
                .contains(at + ".path: tcp://nowhere (expected: tcp://HOST:PORT)");
        AccessLog filtered = file("/tmp/a", "x").toBuilder()
                .setFilter(io.envoyproxy.envoy.config.accesslog.v3.AccessLogFilter.getDefaultInstance())
                .build();
        assertThat(refusal(chain(manager().addAccessLog(filtered)))).contains("access_log[0].filter: not understood");
    }

    @Test
    void tracersTellOpenTelemetryOrZipkin() {
        OpenTelemetryConfig.Builder otlp = OpenTelemetryConfig.newBuilder().setServiceName("web");
        otlp.getGrpcServiceBuilder().getEnvoyGrpcBuilder().setClusterName("b");
        HttpConnectionManager.Builder manager = traced(otlp.build());
        var tracing = manager.getTracingBuilder()
                .setRandomSampling(Percent.newBuilder().setValue(12.5));
        tracing.addCustomTagsBuilder().setTag("team").getLiteralBuilder().setValue("core");
        tracing.addCustomTagsBuilder().setTag("who").getRequestHeaderBuilder().setName("X-Who");
        assertThat(telling(manager).trace())
                .isEqualTo(new TraceConfig(
                        new Collector.Otlp("b"),
                        "web",
                        new Sampling(Sampling.ALL, Sampling.ALL, 125_000),
                        List.of(new Tag.Literal("team", "core"), new Tag.Field("who", "x-who", null))));
        HttpConnectionManager.Builder zipkin = traced(ZipkinConfig.newBuilder()
                .setCollectorCluster("b")
                .setCollectorEndpoint("/api/v2/spans")
                .setCollectorEndpointVersion(ZipkinConfig.CollectorEndpointVersion.HTTP_JSON)
                .build());
        zipkin.getTracingBuilder()
                .addCustomTagsBuilder()
                .setTag("service.name")
                .getLiteralBuilder()
                .setValue("web");
        assertThat(telling(zipkin).trace())
                .isNotNull()
                .returns(new Collector.Zipkin("b", "b", "/api/v2/spans"), TraceConfig::collector)
                .returns("web", TraceConfig::service);
    }

    @Test
    void whatCannotBeTracedIsRefusedByNameAndPath() {
        assertThat(refusal(chain(traced(
                        DatadogConfig.newBuilder().setCollectorCluster("b").build()))))
                .contains("tracing.provider.typed_config: envoy.config.trace.v3.DatadogConfig is not understood");
        assertThat(refusal(chain(traced(ZipkinConfig.newBuilder()
                        .setCollectorCluster("b")
                        .setCollectorEndpoint("/x")
                        .setCollectorEndpointVersion(ZipkinConfig.CollectorEndpointVersion.HTTP_PROTO)
                        .build()))))
                .contains("collector_endpoint_version: HTTP_PROTO (expected: HTTP_JSON)");
        assertThat(refusal(chain(traced(OpenTelemetryConfig.getDefaultInstance()))))
                .contains("grpc_service.envoy_grpc.cluster_name: empty");
    }

    @Test
    void onlyClustersThatSaySoHaveNames() {
        Cluster.Builder named = staticCluster("c", 1).toBuilder();
        named.getLoadAssignmentBuilder()
                .getEndpointsBuilder(0)
                .getLbEndpointsBuilder(0)
                .getEndpointBuilder()
                .getAddressBuilder()
                .getSocketAddressBuilder()
                .setAddress("otel.example");
        assertThat(config.change(ResourceType.CLUSTER, "1", bytes(named.build()), List.of()))
                .containsOnlyKeys("c");
        named.setType(Cluster.DiscoveryType.STRICT_DNS);
        assertThat(config.change(ResourceType.CLUSTER, "2", bytes(named.build()), List.of()))
                .isEmpty();
    }
}
