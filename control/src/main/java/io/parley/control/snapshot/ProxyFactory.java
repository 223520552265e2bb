package io.parley.control.snapshot;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.parley.agreement.reason.Decision;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.ClusterDraft;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Protocol;
import io.parley.control.policy.Matched;
import io.parley.control.policy.Merges;
import io.parley.control.policy.proxypatch.ProxyPatch;
import io.parley.resource.mesh.Inbound;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** From the model to all that one Dataplane is to have, endpoints aside. Pure: the same model gives the same bytes. */
final class ProxyFactory {
    private final Merges merges = new Merges();
    private final NameCache names = new NameCache();

    Built build(Model model, MeshModel mesh, Dataplane dataplane, Flavor flavor) {
        ClusterFactory clusters = new ClusterFactory(mesh, flavor, model.wayOut(mesh));
        ProxyDraft draft = new ProxyDraft(mesh, dataplane, flavor, clusters::service);
        Outbounds.add(draft, model.cluster(), () -> names.of(mesh));
        for (Inbound inbound : dataplane.spec().inbound()) {
            draft.inbounds().add(inbound(draft, model, inbound));
        }
        for (PolicyEffect<?> effect : AllPolicies.EFFECTS) {
            effect.apply(draft, merges);
        }
        if (flavor == Flavor.PARLEY) {
            draft.outbounds()
                    .forEach(outbound -> outbound.routes().forEach(each -> OwnProxies.leaveKnown(each.route())));
        }
        Assembled assembled = new Assembled();
        if (flavor == Flavor.GRPC) {
            GrpcListeners.add(draft, assembled);
        } else {
            new InboundListeners(draft).add(assembled);
            OutboundListeners.add(draft, assembled);
            draft.inbounds().forEach(inbound -> put(inbound.cluster().finish(), assembled));
            draft.collectors().forEach(collector -> put(collector, assembled));
        }
        draft.clusters().forEach(cluster -> put(cluster.finish(), assembled));
        if (flavor == Flavor.PARLEY) {
            assembled.clusters().replaceAll((_, cluster) -> OwnProxies.known(cluster));
        }
        ProxyPatch.apply(Matched.of(ProxyPatch.KIND, mesh, dataplane, merges), assembled);
        assembled.problems().addAll(clusters.problems());
        if (draft.usesHostNames()) {
            assembled.problems().addAll(names.of(mesh).problems());
        }
        return new Built(
                assembled,
                assigned(draft, assembled),
                services(draft),
                List.copyOf(clusters.outside()),
                draft.needsAllServices(),
                draft.usesHostNames());
    }

    private static InboundDraft inbound(ProxyDraft draft, Model model, Inbound inbound) {
        Decision<Protocol> protocol = model.protocol(draft.dataplane(), inbound);
        String name = "inbound:" + InboundListeners.listening(draft, inbound) + ":" + inbound.port();
        return new InboundDraft(name, inbound, protocol, ClusterFactory.application(inbound, protocol.value()));
    }

    private static void put(Cluster cluster, Assembled assembled) {
        assembled.clusters().putIfAbsent(cluster.getName(), cluster);
    }

    private static List<Built.Assigned> assigned(ProxyDraft draft, Assembled assembled) {
        List<Built.Assigned> assigned = new ArrayList<>();
        for (ClusterDraft cluster : draft.clusters()) {
            if (assembled.clusters().containsKey(cluster.name())
                    && EndpointFactory.isAssigned(draft.mesh(), cluster.destination())) {
                assigned.add(new Built.Assigned(
                        draft.mesh().name(), cluster.destination(), cluster.name(), Built.Reach.ALL));
            }
        }
        return assigned;
    }

    private static Set<Built.ServiceName> services(ProxyDraft draft) {
        Set<Built.ServiceName> services = new HashSet<>();
        draft.clusters()
                .forEach(cluster -> services.add(new Built.ServiceName(
                        draft.mesh().name(), cluster.destination().service())));
        return services;
    }
}
