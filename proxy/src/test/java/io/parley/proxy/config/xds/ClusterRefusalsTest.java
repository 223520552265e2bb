package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of clusters and of who may connect, by path and value, although a part of the same message is understood. */
class ClusterRefusalsTest {
    private static final String OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private static Cluster.Builder cluster(String text) {
        return read("name: 'bad' type: STATIC " + text, Cluster.newBuilder());
    }

    private String refusal(Cluster.Builder bad) {
        Map<String, String> refused =
                config.change(ResourceType.CLUSTER, "1", bytes(staticCluster("good", 1), bad.build()), List.of());
        assertThat(refused).doesNotContainKey("good");
        return refused.getOrDefault("bad", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "http_health_check { path: '/' method: POST } | http_health_check.method: POST (expected: GET)",
                "http_health_check { path: '/' send { } } | http_health_check.send: not understood",
                "http_health_check { path: '/' receive { } } | http_health_check.receive: not understood",
                "http_health_check { path: '/' retriable_statuses { } } | http_health_check.retriable_statuses",
                "http_health_check { path: '/' codec_client_type: HTTP3 } | codec_client_type: HTTP3",
                "tcp_health_check { proxy_protocol_config { } } | tcp_health_check.proxy_protocol_config",
                "grpc_health_check { initial_metadata { } } | grpc_health_check.initial_metadata",
                "tcp_health_check { } alt_port { value: 1 } | health_checks[0].alt_port",
                "tcp_health_check { } unhealthy_interval { seconds: 1 } | health_checks[0].unhealthy_interval",
            })
    void ofHealthChecks(String text, String why) {
        String times = "interval { seconds: 1 } timeout { seconds: 1 } ";
        assertThat(refusal(cluster("health_checks { " + times + text + " }"))).contains(why);
        assertThat(refusal(cluster("health_checks { " + times
                        + "http_health_check { path: '/' method: GET codec_client_type: HTTP2 }"
                        + " no_traffic_interval { seconds: 1 } reuse_connection { value: true } }")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "enforcing_success_rate { value: 100 } | outlier_detection.enforcing_success_rate: 100 (expected: 0",
                "success_rate_minimum_hosts { value: 5 } | outlier_detection.success_rate_minimum_hosts",
                "enforcing_failure_percentage { value: 1 } | outlier_detection.enforcing_failure_percentage: 1",
                "failure_percentage_threshold { value: 5 } | outlier_detection.failure_percentage_threshold",
                "enforcing_consecutive_5xx { value: 50 } | enforcing_consecutive_5xx: 50 (expected: 0 or 100)",
                "enforcing_consecutive_gateway_failure { value: 7 } | enforcing_consecutive_gateway_failure: 7",
                "max_ejection_time { seconds: 1 } | outlier_detection.max_ejection_time",
            })
    void ofOutliers(String text, String why) {
        assertThat(refusal(cluster("outlier_detection { " + text + " }"))).contains(why);
        assertThat(refusal(cluster("outlier_detection { interval { seconds: 1 } enforcing_success_rate { }"
                        + " enforcing_consecutive_5xx { value: 100 } enforcing_failure_percentage { } }")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "upstream_http_protocol_options { auto_san_validation: true } | upstream_http_protocol_options",
                "http_filters { name: 'x' } | http_filters: not understood",
                "common_http_protocol_options { max_requests_per_connection { value: 1 } } |"
                        + " max_requests_per_connection",
                "common_http_protocol_options { max_headers_count { value: 1 } } | max_headers_count: set",
                "explicit_http_config { http_protocol_options { accept_http_10: true } } | accept_http_10",
                "explicit_http_config { http3_protocol_options { } } | explicit_http_config.http3_protocol_options",
                "auto_config { http2_protocol_options { max_concurrent_streams { value: 5 } } }"
                        + " | auto_config.http2_protocol_options.max_concurrent_streams: 5 (expected: 100 or more",
            })
    void ofTheProtocolOfServers(String text, String why) {
        assertThat(refusal(cluster("").putTypedExtensionProtocolOptions(OPTIONS, options(text))))
                .contains("typed_extension_protocol_options[" + OPTIONS + "].")
                .contains(why);
        String many =
                "explicit_http_config { http2_protocol_options { max_concurrent_streams { value: 1073741824 } } }";
        assertThat(refusal(cluster("").putTypedExtensionProtocolOptions(OPTIONS, options(many))))
                .isEmpty();
    }

    private static Any options(String text) {
        return Any.pack(read(text, HttpProtocolOptions.newBuilder()).build());
    }

    @Test
    void ofWhereElseToAsk() {
        assertThat(refusal(cluster("eds_cluster_config { eds_config { path_config_source { path: '/x' } } }")))
                .contains("eds_cluster_config.eds_config.path_config_source: not understood");
        assertThat(refusal(cluster("eds_cluster_config { eds_config { resource_api_version: V3 api_config_source {"
                        + " api_type: GRPC grpc_services { envoy_grpc { cluster_name: 'xds' } } } } }")))
                .isEmpty();
    }

    /** Who is compared in capitals and small letters alike could be somebody else. */
    @Test
    void ofWhoServersAre() {
        UpstreamTlsContext.Builder tls = read(
                "common_tls_context { validation_context { match_typed_subject_alt_names { san_type: URI"
                        + " matcher { exact: 'spiffe://m/a' ignore_case: true } } } }",
                UpstreamTlsContext.newBuilder());
        Cluster.Builder cluster = cluster("");
        cluster.getTransportSocketBuilder().setName("tls").setTypedConfig(Any.pack(tls.build()));
        assertThat(refusal(cluster)).contains("match_typed_subject_alt_names: 1 names (expected: exactly one");
    }

    /** Rules about connections know less than those about requests, although the messages are the same. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "permissions { header { name: 'x' } } principals { any: true } | policies[p].permissions: none is any",
                "permissions { any: true } principals { not_id { any: true } } | principals[0]: NOT_ID",
                "permissions { any: true } principals { source_ip { } } | principals[0]: SOURCE_IP",
                "permissions { any: true } principals { authenticated { principal_name { suffix: 'x' } } } | SUFFIX",
                "permissions { any: true } principals { authenticated { principal_name { exact: 'spiffe://m/a'"
                        + " ignore_case: true } } } | principal_name.ignore_case: true",
            })
    void ofWhoMayConnect(String policy, String why) {
        RBAC rules = read("rules { policies { key: 'p' value { " + policy + " } } }", RBAC.newBuilder())
                .build();
        Filter first = filter("rbac", rules);
        Map<String, String> refused = config.change(
                ResourceType.LISTENER,
                "1",
                bytes(
                        inbound("inbound:good", 0, toCluster("a").build()).build(),
                        inbound(
                                        "inbound:bad",
                                        0,
                                        toCluster("a").addFilters(0, first).build())
                                .build()),
                List.of());
        assertThat(refused).containsOnlyKeys("inbound:bad");
        assertThat(refused.get("inbound:bad"))
                .contains("filter_chains[0].filters[0].typed_config.rules.")
                .contains(why);
    }
}
