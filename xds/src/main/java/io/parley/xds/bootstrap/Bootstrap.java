package io.parley.xds.bootstrap;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.xds.type.FederatedName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a bootstrap file says (gRPC A27, A29, A30, A36, A47, A71, A97).
 *
 * @param servers in order of priority, at least one
 * @param node the parts of a node that a file may give: id, cluster, locality, metadata
 * @param certificateProviders by instance name
 * @param serverListenerTemplate name of a server's listener, {@code %s} stands for its address; null if the file has none
 * @param clientListenerTemplate name of a client's listener, {@code %s} stands for the target
 * @param authorities by name
 * @param allowedGrpcServices by target
 */
public record Bootstrap(
        List<XdsServer> servers,
        Node node,
        Map<String, CertificateProvider> certificateProviders,
        @Nullable String serverListenerTemplate,
        String clientListenerTemplate,
        Map<String, Authority> authorities,
        Map<String, GrpcServiceAccess> allowedGrpcServices) {
    public static final String DEFAULT_CLIENT_LISTENER_TEMPLATE = "%s";

    private static final String PLACEHOLDER = "%s";

    public Bootstrap {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("servers: none (expected: at least one)");
        }
        certificateProviders = Collections.unmodifiableMap(new LinkedHashMap<>(certificateProviders));
        authorities = Collections.unmodifiableMap(new LinkedHashMap<>(authorities));
        allowedGrpcServices = Collections.unmodifiableMap(new LinkedHashMap<>(allowedGrpcServices));
    }

    /** A bootstrap with servers and a node, and the default of everything else. */
    public static Bootstrap of(List<XdsServer> servers, Node node) {
        return new Bootstrap(servers, node, Map.of(), null, DEFAULT_CLIENT_LISTENER_TEMPLATE, Map.of(), Map.of());
    }

    /** The servers that know an authority's resources, by priority; none if the file does not name the authority. */
    public Optional<List<XdsServer>> serversOf(String authority) {
        return Optional.ofNullable(authorities.get(authority))
                .map(found -> found.servers().isEmpty() ? servers : found.servers());
    }

    /**
     * Under which name a client asks for the listener of a target {@code xds://authority/service} (gRPC A47).
     *
     * @param authority empty if the target has none
     * @return nothing if the file does not name the authority
     */
    public Optional<String> clientListener(String authority, String service) {
        String template = authority.isEmpty()
                ? clientListenerTemplate
                : Optional.ofNullable(authorities.get(authority))
                        .map(Authority::clientListenerTemplate)
                        .orElse(null);
        return Optional.ofNullable(template).map(found -> filled(found, service));
    }

    /**
     * Under which name a server asks for the listener of the address that it binds (gRPC A36).
     *
     * @param address with the port; IPv6 in brackets
     * @return nothing if the file has no template, without which a server cannot serve
     */
    public Optional<String> serverListener(String address) {
        return Optional.ofNullable(serverListenerTemplate).map(template -> filled(template, address));
    }

    private static String filled(String template, String text) {
        String filling = FederatedName.is(template) ? FederatedName.encodePath(text) : text;
        return FederatedName.canonical(template.replace(PLACEHOLDER, filling));
    }

    /**
     * Part of a federated name space (gRPC A47).
     *
     * @param clientListenerTemplate starts with {@code xdstp://<authority>/}
     * @param servers empty if the servers at the top of the file are meant
     */
    public record Authority(String clientListenerTemplate, List<XdsServer> servers) {
        public Authority {
            servers = List.copyOf(servers);
        }
    }

    /** How a gRPC service that resources may name is reached (gRPC A102). */
    public record GrpcServiceAccess(ChannelCredentials channelCredentials, List<CallCredentials> callCredentials) {
        public GrpcServiceAccess {
            callCredentials = List.copyOf(callCredentials);
        }
    }
}
