package io.parley.control.snapshot;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.draft.RouteDraft;
import io.parley.control.model.Cluster;
import io.parley.control.model.ClusterService;
import io.parley.control.model.Dataplane.NameServing;
import io.parley.control.model.Names;
import io.parley.control.model.VirtualNames;
import io.parley.control.policy.Destination;
import io.parley.resource.mesh.Outbound;
import io.parley.resource.mesh.TransparentProxying;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What a workload calls, and at which addresses. */
final class Outbounds {
    private static final String LOOPBACK = "127.0.0.1";

    private final ProxyDraft draft;
    private final Set<String> taken = new HashSet<>();

    private Outbounds(ProxyDraft draft) {
        this.draft = draft;
    }

    static void add(ProxyDraft draft, Cluster cluster, Supplier<VirtualNames> names) {
        Outbounds outbounds = new Outbounds(draft);
        for (Outbound outbound : draft.dataplane().spec().outbound()) {
            outbounds.add(outbound);
        }
        if (draft.flavor() == Flavor.GRPC && draft.outbounds().isEmpty()) {
            draft.wholeMesh().services().keys().forEach(service -> {
                var _ = outbounds.add(LOOPBACK, 0, service, Map.of());
            });
        }
        TransparentProxying transparent = draft.dataplane().spec().transparentProxying();
        if (transparent != null && draft.flavor() != Flavor.GRPC) {
            outbounds.addClusterServices(cluster, transparent);
        }
        if (draft.flavor() != Flavor.GRPC && draft.dataplane().nameServing() != NameServing.NOWHERE) {
            draft.useHostNames();
            outbounds.addNames(names.get(), draft.dataplane().nameServing());
        }
    }

    private void addNames(VirtualNames names, NameServing serving) {
        TransparentProxying transparent = draft.dataplane().spec().transparentProxying();
        List<String> reachable = transparent == null ? null : transparent.reachableServices();
        for (VirtualNames.Name name : names.all()) {
            String service = name.called().service();
            if (reachable == null || reachable.contains(service)) {
                String address = serving == NameServing.INTERCEPTED ? name.address() : name.loopback();
                add(address, name.called().port(), service, name.subset())
                        .ifPresent(outbound -> outbound.name(name.called().toString()));
            }
        }
    }

    private void add(Outbound outbound) {
        Map<String, String> tags = new HashMap<>(outbound.tags());
        String service = tags.remove(Names.SERVICE);
        if (service == null && outbound.backendRef() != null) {
            service = outbound.backendRef().name();
        }
        if (service != null) {
            var _ = add(outbound.address() == null ? LOOPBACK : outbound.address(), outbound.port(), service, tags);
        }
    }

    /** The cluster addresses of Kubernetes Services, which an intercepted workload calls without being told by anybody. */
    private void addClusterServices(Cluster cluster, TransparentProxying transparent) {
        List<String> reachable = transparent.reachableServices();
        for (ClusterService service : cluster.allServices()) {
            for (ClusterService.Port port : service.ports()) {
                String name = service.serviceName(port);
                if (service.mesh().equals(draft.mesh().name()) && (reachable == null || reachable.contains(name))) {
                    service.addresses().forEach(address -> {
                        var _ = add(address, port.number(), name, Map.of());
                    });
                }
            }
        }
    }

    private Optional<OutboundDraft> add(String address, int port, String service, Map<String, String> tags) {
        String name = draft.flavor() == Flavor.GRPC ? service : "outbound:" + address + ":" + port;
        if (!taken.add(name)) {
            return Optional.empty();
        }
        Destination destination = Destination.of(draft.mesh(), service, tags);
        OutboundDraft outbound =
                new OutboundDraft(name, address, port, destination, ClusterFactory.protocol(draft.mesh(), service));
        Route.Builder everything = Route.newBuilder();
        everything.getMatchBuilder().setPrefix("/");
        everything.getRouteBuilder().setCluster(draft.cluster(destination).name());
        outbound.routes().add(new RouteDraft(everything, null));
        draft.outbounds().add(outbound);
        return Optional.of(outbound);
    }
}
