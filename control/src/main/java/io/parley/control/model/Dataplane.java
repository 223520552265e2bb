package io.parley.control.model;

import io.parley.identity.certificate.SpiffeId;
import io.parley.resource.Resource;
import io.parley.resource.mesh.DataplaneSpec;
import io.parley.resource.mesh.DataplaneSpec.GatewayType;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.TransparentProxying;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A proxy and the workload beside it. */
public record Dataplane(
        String mesh, String name, Map<String, String> labels, Map<String, String> annotations, DataplaneSpec spec) {
    static Dataplane of(Resource resource, DataplaneSpec spec) {
        return new Dataplane(
                resource.key().space(), resource.key().name(), resource.labels(), resource.annotations(), spec);
    }

    public boolean isGateway() {
        return spec.gateway() != null;
    }

    public boolean isBuiltinGateway() {
        DataplaneSpec.Gateway gateway = spec.gateway();
        return gateway != null && gateway.type() == GatewayType.BUILTIN;
    }

    /** One set of tags for each of its inbounds, or that of the gateway. */
    public List<Map<String, String>> tagSets() {
        List<Map<String, String>> sets = new ArrayList<>();
        DataplaneSpec.Gateway gateway = spec.gateway();
        if (gateway != null) {
            sets.add(gateway.tags());
        }
        spec.inbound().forEach(inbound -> sets.add(inbound.tags()));
        return sets;
    }

    /** What it is an instance of. */
    public Set<String> services() {
        Set<String> services = new LinkedHashSet<>();
        tagSets().forEach(tags -> services.add(tags.getOrDefault(Names.SERVICE, "")));
        services.remove("");
        return services;
    }

    /** Who it is when it calls others: its first service. */
    public Optional<SpiffeId> identity() {
        return services().stream().findFirst().flatMap(service -> Identities.of(mesh, service));
    }

    /** Where it runs, as far as it says. */
    public @Nullable String zone() {
        String label = labels.get(Names.ZONE);
        return label != null
                ? label
                : tagSets().stream()
                        .map(tags -> tags.get(Names.ZONE))
                        .filter(zone -> zone != null)
                        .findFirst()
                        .orElse(null);
    }

    /** Where others reach it. */
    public String reachedAt() {
        String advertised = spec.advertisedAddress();
        return advertised == null ? spec.address() : advertised;
    }

    /** The port that takes connections with a header, if it has one. */
    public Optional<Integer> meshPort() {
        return Optional.ofNullable(spec.transparentProxying())
                .map(transparent -> transparent.redirectPortInbound())
                .filter(port -> port > 0);
    }

    /** Where its workload finds the host names of the mesh. */
    public enum NameServing {
        NOWHERE,
        /** At addresses that nobody has: the connections are intercepted. */
        INTERCEPTED,
        /** At addresses of the loopback on which its proxy listens. */
        LOOPBACK
    }

    public NameServing nameServing() {
        TransparentProxying transparent = spec.transparentProxying();
        Integer port = transparent == null ? null : transparent.redirectPortOutbound();
        if (port != null && port > 0) {
            return NameServing.INTERCEPTED;
        }
        return "loopback".equals(annotations.get(Names.VIRTUAL_OUTBOUNDS)) ? NameServing.LOOPBACK : NameServing.NOWHERE;
    }

    /** The name that people gave it, which synchronisation between zones keeps in a label. */
    public String displayName() {
        return labels.getOrDefault(Names.DISPLAY_NAME, name);
    }

    /** The port of the workload behind an inbound. */
    public static int servicePort(Inbound inbound) {
        Integer port = inbound.servicePort();
        return port == null || port == 0 ? inbound.port() : port;
    }
}
