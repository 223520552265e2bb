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
import io.parley.control.model.Identities;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What zone ingresses and egresses are to have: connections are passed on by the server name asked for, TLS and all, so that the
 * two ends still see each other's certificates.
 */
final class ZoneProxyFactory {
    private static final String ANY_ADDRESS = "0.0.0.0";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofHours(1);

    private ZoneProxyFactory() {}

    /** For a ZoneIngress or ZoneEgress of this name; nothing but empty if there is neither. */
    static Built build(Model model, String name) {
        var ingress = model.zoneIngresses().find(name);
        var egress = model.zoneEgresses().find(name);
        if (ingress.isPresent()) {
            return build(model, "ingress", ingress.get().port(), Built.Reach.THIS_ZONE);
        }
        if (egress.isPresent()) {
            return build(model, "egress", egress.get().port(), Built.Reach.OTHER_ZONES);
        }
        return new Built(new Assembled(), List.of(), Set.of(), true);
    }

    private static Built build(Model model, String role, int port, Built.Reach reach) {
        Assembled assembled = new Assembled();
        List<Built.Assigned> assigned = new ArrayList<>();
        Set<Built.ServiceName> services = new HashSet<>();
        String name = role + ":" + ANY_ADDRESS + ":" + port;
        Listener.Builder listener = Listener.newBuilder()
                .setName(name)
                .setTrafficDirection(TrafficDirection.INBOUND)
                .setAddress(address(ANY_ADDRESS, port));
        Chains.inspectTls(listener);
        for (MeshModel mesh : model.meshes().values()) {
            for (Service service : mesh.services().values()) {
                boolean serves = mesh.authority().isPresent()
                        && service.endpoints().values().stream()
                                .anyMatch(endpoint -> EndpointFactory.isReached(endpoint, reach));
                if (serves) {
                    Cluster cluster = cluster(mesh, service);
                    listener.addFilterChains(chain(mesh, service, cluster.getName()));
                    assembled.clusters().put(cluster.getName(), cluster);
                    Destination destination = new Destination(service.name(), Map.of(), false);
                    assigned.add(new Built.Assigned(mesh.name(), destination, cluster.getName(), reach));
                    services.add(new Built.ServiceName(mesh.name(), service.name()));
                }
            }
        }
        assembled.listeners().put(name, listener.build());
        return new Built(assembled, assigned, services, true);
    }

    private static FilterChain chain(MeshModel mesh, Service service, String cluster) {
        FilterChain.Builder chain = Chains.named(
                cluster, Map.of("protocol", "tls", "because", "passed on by server name", "service", service.name()));
        chain.getFilterChainMatchBuilder()
                .setTransportProtocol("tls")
                .addServerNames(Identities.serverName(mesh.name(), service.name()));
        return chain.addFilters(Chains.tcp(TcpProxy.newBuilder()
                        .setStatPrefix(cluster)
                        .setCluster(cluster)
                        .setIdleTimeout(Protos.duration(IDLE))
                        .build()))
                .build();
    }

    private static Cluster cluster(MeshModel mesh, Service service) {
        String name = mesh.name() + "/" + service.name();
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(name)
                .setType(Cluster.DiscoveryType.EDS)
                .setConnectTimeout(Protos.duration(CONNECT));
        cluster.getEdsClusterConfigBuilder().setEdsConfig(ads()).setServiceName(name);
        return cluster.build();
    }
}
