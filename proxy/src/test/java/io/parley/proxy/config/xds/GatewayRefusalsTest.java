package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.address;
import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.http.HttpConfig;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a gateway cannot be told is refused with its path and what was expected. */
class GatewayRefusalsTest {
    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private String refusal(ResourceType type, Message resource) {
        return config.change(type, "1", bytes(resource), List.of()).toString();
    }

    private static Listener.Builder gateway() {
        return Listener.newBuilder()
                .setName("gateway:a/b:443")
                .setTrafficDirection(TrafficDirection.OUTBOUND)
                .setMetadata(extras(Map.of("gateway", "a/b")))
                .setAddress(address("127.0.0.1", 0));
    }

    private static FilterChain.Builder named(String name) {
        return toCluster("c").setFilterChainMatch(FilterChainMatch.newBuilder().addServerNames(name));
    }

    private static TransportSocket tls(Message context) {
        return TransportSocket.newBuilder()
                .setName("tls")
                .setTypedConfig(Any.pack(context))
                .build();
    }

    @Test
    void namesThatAreTakenAndNamesThatAreNone() {
        assertThat(refusal(
                        ResourceType.LISTENER,
                        gateway()
                                .addFilterChains(named("a.example"))
                                .addFilterChains(named("A.example"))
                                .addFilterChains(named("a b"))
                                .build()))
                .contains("a.example twice (expected: each server name once)")
                .contains("a b (expected: the name of a host, or *. and a domain)");
    }

    @Test
    void protocolsTellChainsOfOneNameApartAndNeedAName() {
        FilterChain.Builder byHeader = named("a.example");
        byHeader.getFilterChainMatchBuilder().addApplicationProtocols("transport.l5d.io/v1");
        Listener.Builder both = gateway().addFilterChains(named("a.example")).addFilterChains(byHeader);
        assertThat(refusal(ResourceType.LISTENER, both.build())).isEqualTo("{}");

        assertThat(refusal(
                        ResourceType.LISTENER,
                        both.addFilterChains(byHeader)
                                .addFilterChains(toCluster("c")
                                        .setFilterChainMatch(
                                                FilterChainMatch.newBuilder().addApplicationProtocols("h2")))
                                .build()))
                .contains("a.example by transport.l5d.io/v1 twice")
                .contains("[h2] (expected: only beside server_names without a wildcard)");
    }

    /** Open connections find what holds for them by it, and would find that of the other. */
    @Test
    void whatHoldsForRequestsHasANameOfItsOwnForEachOfSuchChains() {
        List<ProxyConfig> told = new ArrayList<>();
        XdsConfig gateway = new XdsConfig(Local.NOTHING, told::add);
        gateway.release();
        assertThat(gateway.change(
                        ResourceType.LISTENER,
                        "1",
                        bytes(gateway()
                                .addFilterChains(requests("http/1.1"))
                                .addFilterChains(requests("h2"))
                                .addFilterChains(requests())
                                .build()),
                        List.of()))
                .isEmpty();
        List<HttpConfig> requests =
                told.getLast().listeners().getFirst().routing().requests().toList();
        assertThat(requests).hasSize(3).extracting(HttpConfig::name).doesNotHaveDuplicates();
    }

    private static FilterChain.Builder requests(String... protocols) {
        HttpConnectionManager.Builder manager =
                HttpConnectionManager.newBuilder().setStatPrefix("x");
        manager.getRouteConfigBuilder()
                .setName("routes")
                .addVirtualHostsBuilder()
                .setName("all")
                .addDomains("*");
        return FilterChain.newBuilder()
                .setFilterChainMatch(FilterChainMatch.newBuilder()
                        .addServerNames("a.example")
                        .addAllApplicationProtocols(List.of(protocols)))
                .addFilters(filter("hcm", manager.build()));
    }

    @Test
    void tlsWithoutACertificateOrWithoutAuthorities() {
        DownstreamTlsContext.Builder context =
                DownstreamTlsContext.newBuilder().setRequireClientCertificate(com.google.protobuf.BoolValue.of(true));
        context.getCommonTlsContextBuilder().addAlpnProtocols("h3");
        assertThat(refusal(
                        ResourceType.LISTENER,
                        gateway()
                                .addFilterChains(named("a.example").setTransportSocket(tls(context.build())))
                                .build()))
                .contains("none (expected: the name of at least one secret)")
                .contains("true without authorities (expected: a validation context)")
                .contains("h3 (expected: one of");
    }

    @Test
    void anAddressOfUdpWithoutWhereDatagramsGo() {
        Listener.Builder listener = gateway().setName("gateway:a/b:53/udp");
        listener.getAddressBuilder().getSocketAddressBuilder().setProtocol(SocketAddress.Protocol.UDP);
        assertThat(refusal(ResourceType.LISTENER, listener.build()))
                .contains("no udp_proxy (expected: one, as the address is of UDP)");
        assertThat(refusal(
                        ResourceType.LISTENER,
                        listener.setName("outbound:udp")
                                .clearMetadata()
                                .addFilterChains(toCluster("c"))
                                .build()))
                .contains("UDP (expected: TCP, except on a gateway)");
    }

    @Test
    void aBackendBehindTlsOfWhichNobodyIsBelieved() {
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName("c")
                .setType(Cluster.DiscoveryType.EDS)
                .setMetadata(extras(Map.of("tls", "public")))
                .setTransportSocket(tls(UpstreamTlsContext.getDefaultInstance()));
        assertThat(refusal(ResourceType.CLUSTER, cluster.build()))
                .contains("nobody is believed (expected: trusted_ca, system_root_certs or a secret)")
                .contains("sni: empty");
        assertThat(refusal(
                        ResourceType.CLUSTER,
                        cluster.clearTransportSocket()
                                .setMetadata(extras(Map.of("direct_response", 200)))
                                .build()))
                .contains("200.0 (expected: a status of a failure)");
    }

    @Test
    void aSecretThatIsNoneTellsNothingOfItsContent() {
        Secret.Builder secret = Secret.newBuilder().setName("s");
        secret.getTlsCertificateBuilder()
                .setCertificateChain(inline("-----BEGIN NOTHING-----"))
                .setPrivateKey(inline("s3cr3t"));
        assertThat(refusal(ResourceType.SECRET, secret.build()))
                .contains("no certificate found")
                .doesNotContain("s3cr3t");
        secret.getTlsCertificateBuilder().setPrivateKey(DataSource.newBuilder().setFilename("/etc/key"));
        assertThat(refusal(ResourceType.SECRET, secret.build())).contains("filename: not understood");
    }

    /** Names that restrict whom an authority's certificates are for must not be passed over. */
    @Test
    void namesOfClientsAndNamesInSecrets() {
        String names = "match_typed_subject_alt_names { san_type: URI matcher { exact: 'spiffe://m/a' } }";
        DownstreamTlsContext context = read(
                        "common_tls_context { tls_certificate_sds_secret_configs { name: 'a' } validation_context { "
                                + names + " } }",
                        DownstreamTlsContext.newBuilder())
                .build();
        String at = "transport_socket.typed_config.common_tls_context.match_typed_subject_alt_names: set";
        assertThat(refusal(
                        ResourceType.LISTENER,
                        gateway()
                                .addFilterChains(named("a.example").setTransportSocket(tls(context)))
                                .build()))
                .contains(at);
        assertThat(refusal(
                        ResourceType.LISTENER,
                        inbound(
                                        "inbound:a",
                                        0,
                                        toCluster("c")
                                                .setTransportSocket(tls(context))
                                                .build())
                                .build()))
                .contains(at);
        assertThat(refusal(
                        ResourceType.SECRET,
                        read("name: 's' validation_context { " + names + " }", Secret.newBuilder())
                                .build()))
                .contains("validation_context.match_typed_subject_alt_names: set");
    }

    @Test
    void secretsAreAskedForByWhoNamesThem() {
        DownstreamTlsContext.Builder context = DownstreamTlsContext.newBuilder();
        context.getCommonTlsContextBuilder()
                .addTlsCertificateSdsSecretConfigs(SdsSecretConfig.newBuilder().setName("a/cert"));
        assertThat(refusal(
                        ResourceType.LISTENER,
                        gateway()
                                .addFilterChains(named("a.example").setTransportSocket(tls(context.build())))
                                .build()))
                .isEqualTo("{}");
        assertThat(config.referred(ResourceType.SECRET)).containsExactly("a/cert");
    }

    @Test
    void whoItsClientsAreIsKnownToNoGateway() {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder()
                .setStatPrefix("x")
                .setRds(Rds.newBuilder().setRouteConfigName("routes"))
                .setForwardClientCertDetails(ForwardClientCertDetails.SANITIZE_SET);
        manager.getSetCurrentClientCertDetailsBuilder().setUri(true).setCert(true);
        FilterChain.Builder chain = FilterChain.newBuilder().addFilters(filter("hcm", manager.build()));
        assertThat(refusal(
                        ResourceType.LISTENER, gateway().addFilterChains(chain).build()))
                .contains("set_current_client_cert_details.cert: not understood");
        manager.getSetCurrentClientCertDetailsBuilder().clearCert();
        assertThat(refusal(
                        ResourceType.LISTENER,
                        gateway()
                                .addFilterChains(FilterChain.newBuilder().addFilters(filter("hcm", manager.build())))
                                .build()))
                .contains("forward_client_cert_details: SANITIZE_SET (expected: SANITIZE, ");
    }

    private static DataSource inline(String text) {
        return DataSource.newBuilder().setInlineString(text).build();
    }
}
