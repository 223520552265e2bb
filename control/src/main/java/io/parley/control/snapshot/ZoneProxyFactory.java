package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.address;
import static io.parley.control.draft.Protos.ads;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.Protos;
import io.parley.control.model.ExternalService;
import io.parley.control.model.Identities;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import io.parley.wire.header.ConnectionHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What zone ingresses and egresses are to have: connections are passed on by the server name asked for, TLS and all, so that the two ends
 * still see each other's certificates, and the ingress needs none. Clients that offer to write a connection header are sent to where
 * headers are read, the others to the port itself (docs/decisions/0115).
 */
final class ZoneProxyFactory {
    private static final String ANY_ADDRESS = "0.0.0.0";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofHours(1);

    private final Assembled assembled = new Assembled();
    private final List<Built.Assigned> assigned = new ArrayList<>();
    private final Set<Built.ServiceName> services = new HashSet<>();
    private final Map<String, String> takenBy = new HashMap<>();
    private final Listener.Builder listener;

    private ZoneProxyFactory(String role, int port) {
        listener = Listener.newBuilder()
                .setName(role + ":" + ANY_ADDRESS + ":" + port)
                .setTrafficDirection(TrafficDirection.INBOUND)
                .setAddress(address(ANY_ADDRESS, port))
                .setMetadata(Protos.extras(Map.of("gateway", role)));
        Chains.inspectTls(listener);
    }

    /** For a ZoneIngress or ZoneEgress of this name; nothing but empty if there is neither. */
    static Built build(Model model, String name) {
        var ingress = model.zoneIngresses().find(name);
        var egress = model.zoneEgresses().find(name);
        if (ingress.isPresent()) {
            return new ZoneProxyFactory("ingress", ingress.get().port())
                    .services(model, List.of(Built.Reach.THIS_ZONE, Built.Reach.THIS_ZONE_BY_HEADER))
                    .build();
        }
        if (egress.isPresent()) {
            // In this order: nobody outside takes the name of a service of the mesh.
            return new ZoneProxyFactory("egress", egress.get().port())
                    .services(model, List.of(Built.Reach.OTHER_ZONES))
                    .externalServices(model)
                    .build();
        }
        return new Built(new Assembled(), List.of(), Set.of(), List.of(), true, false);
    }

    private ZoneProxyFactory services(Model model, List<Built.Reach> reaches) {
        for (MeshModel mesh : model.meshes().values()) {
            if (mesh.authority().isPresent()) {
                mesh.services().values().forEach(service -> reaches.forEach(reach -> add(mesh, service, reach)));
            }
        }
        return this;
    }

    private Built build() {
        // A listener that takes nobody is refused, by others' proxies too.
        if (listener.getFilterChainsCount() > 0) {
            assembled.listeners().put(listener.getName(), listener.build());
        }
        return new Built(assembled, assigned, services, List.of(), true, false);
    }

    private void add(MeshModel mesh, Service service, Built.Reach reach) {
        boolean byHeader = reach == Built.Reach.THIS_ZONE_BY_HEADER;
        boolean serves =
                service.endpoints().values().stream().anyMatch(endpoint -> EndpointFactory.isReached(endpoint, reach));
        if (!serves || (byHeader && service.headerPort().isEmpty())) {
            return;
        }
        String name = mesh.name() + "/" + service.name();
        String serverName = Identities.serverName(mesh.name(), service.name());
        if (!take(serverName, name)) {
            return;
        }
        Cluster cluster = cluster(byHeader ? name + " by header" : name);
        FilterChain.Builder chain = chain(service.name(), serverName, cluster.getName());
        if (byHeader) {
            chain.getFilterChainMatchBuilder().addApplicationProtocols(ConnectionHeader.ALPN);
        }
        listener.addFilterChains(chain);
        assembled.clusters().put(cluster.getName(), cluster);
        Destination destination = new Destination(service.name(), Map.of(), false);
        assigned.add(new Built.Assigned(mesh.name(), destination, cluster.getName(), reach));
        services.add(new Built.ServiceName(mesh.name(), service.name()));
    }

    /** What is outside the mesh has no proxy to answer for it: its own TLS is passed on. */
    private ZoneProxyFactory externalServices(Model model) {
        for (MeshModel mesh : model.meshes().values()) {
            if (mesh.spec().routing().zoneEgress()) {
                mesh.externalServices().values().forEach(external -> add(mesh, external));
            }
        }
        return this;
    }

    private void add(MeshModel mesh, ExternalService external) {
        String serverName = external.serverName();
        String name = mesh.name() + "/external/" + external.name();
        if (serverName != null && take(serverName, name)) {
            Cluster.Builder cluster = Cluster.newBuilder().setName(name).setConnectTimeout(Protos.duration(CONNECT));
            ClusterFactory.outside(cluster, external.host(), external.port());
            assembled.clusters().put(name, cluster.build());
            listener.addFilterChains(chain(external.service(), serverName, name));
        }
    }

    /** Whether a server name means this one: it is all that there is to tell them apart. */
    private boolean take(String serverName, String name) {
        String other = takenBy.putIfAbsent(serverName, name);
        if (other == null || other.equals(name)) {
            return true;
        }
        assembled.problems().add(name + " is not reached here: TLS asks for it as for " + other);
        return false;
    }

    private static FilterChain.Builder chain(String service, String serverName, String cluster) {
        FilterChain.Builder chain = Chains.named(
                        cluster, Map.of("protocol", "tls", "because", "passed on by server name", "service", service))
                .addFilters(Chains.tcp(TcpProxy.newBuilder()
                        .setStatPrefix(cluster)
                        .setCluster(cluster)
                        .setIdleTimeout(Protos.duration(IDLE))
                        .build()));
        chain.getFilterChainMatchBuilder().addServerNames(serverName);
        return chain;
    }

    private static Cluster cluster(String name) {
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(name)
                .setType(Cluster.DiscoveryType.EDS)
                .setConnectTimeout(Protos.duration(CONNECT));
        cluster.getEdsClusterConfigBuilder().setEdsConfig(ads()).setServiceName(name);
        return cluster.build();
    }
}
