package io.parley.proxy.config.xds;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.TextFormat;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.Cluster.DiscoveryType;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.CidrRange;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.rbac.v3.Permission;
import io.envoyproxy.envoy.config.rbac.v3.Policy;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import java.util.LinkedHashMap;
import java.util.Map;

/** Resources as a control plane writes them. */
public final class Resources {
    private static final TextFormat.Parser TEXT = TextFormat.Parser.newBuilder()
            .setTypeRegistry(TypeRegistry.newBuilder()
                    .add(KnownTypes.BY_NAME.values().stream()
                            .map(Message::getDescriptorForType)
                            .toList())
                    .build())
            .build();

    private Resources() {}

    public static Metadata extras(Map<String, ?> values) {
        Struct.Builder struct = Struct.newBuilder();
        values.forEach((name, value) -> struct.putFields(
                name,
                value instanceof Number number
                        ? Value.newBuilder()
                                .setNumberValue(number.doubleValue())
                                .build()
                        : Value.newBuilder().setStringValue(value.toString()).build()));
        return Metadata.newBuilder()
                .putFilterMetadata("io.parley", struct.build())
                .build();
    }

    public static Address address(String host, int port) {
        return Address.newBuilder()
                .setSocketAddress(SocketAddress.newBuilder().setAddress(host).setPortValue(port))
                .build();
    }

    public static Filter filter(String name, Message config) {
        return Filter.newBuilder()
                .setName(name)
                .setTypedConfig(Any.pack(config))
                .build();
    }

    public static FilterChain.Builder toCluster(String cluster) {
        return FilterChain.newBuilder()
                .addFilters(filter(
                        "tcp",
                        TcpProxy.newBuilder()
                                .setStatPrefix("x")
                                .setCluster(cluster)
                                .build()));
    }

    public static FilterChainMatch port(int port) {
        return FilterChainMatch.newBuilder()
                .setDestinationPort(UInt32Value.of(port))
                .build();
    }

    public static FilterChainMatch destination(String address, int port) {
        return port(port).toBuilder()
                .addPrefixRanges(
                        CidrRange.newBuilder().setAddressPrefix(address).setPrefixLen(UInt32Value.of(32)))
                .build();
    }

    public static Listener.Builder outbound(String name, int port, FilterChain chain) {
        return Listener.newBuilder()
                .setName(name)
                .setTrafficDirection(TrafficDirection.OUTBOUND)
                .setAddress(address("127.0.0.1", port))
                .addFilterChains(chain);
    }

    public static Listener.Builder inbound(String name, int port, FilterChain chain) {
        return outbound(name, port, chain).setTrafficDirection(TrafficDirection.INBOUND);
    }

    public static TransportSocket strict() {
        return TransportSocket.newBuilder()
                .setName("tls")
                .setTypedConfig(Any.pack(DownstreamTlsContext.newBuilder()
                        .setCommonTlsContext(sds())
                        .setRequireClientCertificate(BoolValue.of(true))
                        .build()))
                .build();
    }

    public static TransportSocket upstreamTls() {
        return TransportSocket.newBuilder()
                .setName("tls")
                .setTypedConfig(Any.pack(UpstreamTlsContext.newBuilder()
                        .setCommonTlsContext(sds())
                        .build()))
                .build();
    }

    private static CommonTlsContext sds() {
        return CommonTlsContext.newBuilder()
                .addTlsCertificateSdsSecretConfigs(SdsSecretConfig.newBuilder().setName("identity"))
                .setValidationContextSdsSecretConfig(
                        SdsSecretConfig.newBuilder().setName("trust"))
                .build();
    }

    public static Filter allow(String identity) {
        return filter(
                "rbac",
                RBAC.newBuilder()
                        .setRules(io.envoyproxy
                                .envoy
                                .config
                                .rbac
                                .v3
                                .RBAC
                                .newBuilder()
                                .putPolicies(
                                        "p",
                                        Policy.newBuilder()
                                                .addPermissions(
                                                        Permission.newBuilder().setAny(true))
                                                .addPrincipals(Principal.newBuilder()
                                                        .setAuthenticated(Principal.Authenticated.newBuilder()
                                                                .setPrincipalName(StringMatcher.newBuilder()
                                                                        .setExact(identity))))
                                                .build()))
                        .build());
    }

    public static Cluster staticCluster(String name, int port) {
        return Cluster.newBuilder()
                .setName(name)
                .setType(DiscoveryType.STATIC)
                .setLoadAssignment(assignment(name, endpoint(port)))
                .build();
    }

    public static Cluster passThrough(String name) {
        return Cluster.newBuilder()
                .setName(name)
                .setType(DiscoveryType.ORIGINAL_DST)
                .build();
    }

    public static Cluster discovered(String name) {
        return Cluster.newBuilder()
                .setName(name)
                .setType(DiscoveryType.EDS)
                .setTransportSocket(upstreamTls())
                .build();
    }

    public static LbEndpoint endpoint(int port) {
        return LbEndpoint.newBuilder()
                .setEndpoint(Endpoint.newBuilder().setAddress(address("127.0.0.1", port)))
                .build();
    }

    public static LbEndpoint meshed(int port, int inboundPort, String identity) {
        return endpoint(port).toBuilder()
                .setMetadata(extras(Map.of("inbound_port", inboundPort, "identity", identity)))
                .build();
    }

    public static ClusterLoadAssignment assignment(String name, LbEndpoint... endpoints) {
        LocalityLbEndpoints.Builder place = LocalityLbEndpoints.newBuilder();
        for (LbEndpoint endpoint : endpoints) {
            place.addLbEndpoints(endpoint);
        }
        return ClusterLoadAssignment.newBuilder()
                .setClusterName(name)
                .addEndpoints(place)
                .build();
    }

    /** Reads the text form of protobuf into a message. */
    public static <B extends Message.Builder> B read(String text, B builder) {
        try {
            TEXT.merge(text, builder);
            return builder;
        } catch (TextFormat.ParseException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** By name, which is the first field of every resource. */
    public static Map<String, ByteString> bytes(Message... resources) {
        Map<String, ByteString> bytes = new LinkedHashMap<>();
        for (Message resource : resources) {
            bytes.put(
                    (String) resource.getField(resource.getDescriptorForType().findFieldByNumber(1)),
                    resource.toByteString());
        }
        return bytes;
    }
}
