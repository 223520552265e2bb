package io.parley.control.node;

import io.parley.control.model.Identities;
import io.parley.identity.certificate.SpiffeId;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.mesh.DataplaneSpec;
import io.parley.resource.mesh.Inbound;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the resource of a data plane says about it. Reads the store, so everything here may block. */
public final class Dataplanes {
    private static final String SERVICE_TAG = "kuma.io/service";

    private final ResourceStore store;

    public Dataplanes(ResourceStore store) {
        this.store = store;
    }

    /** Its labels and, with lower rank, the tags of its first inbound or of its gateway; none if it has no resource yet. */
    public Map<String, String> labels(NodeKey node) {
        Map<String, String> labels = new HashMap<>();
        Optional<Stored> stored = store.find(node.dataplane());
        stored.ifPresent(found -> {
            tags(found.resource()).findFirst().ifPresent(labels::putAll);
            labels.putAll(found.resource().labels());
        });
        return labels;
    }

    /**
     * The names that its certificates have: its mesh, and the service of each inbound or of its gateway, in their order. Those with
     * characters that a name in a certificate may not have are left out.
     */
    public List<SpiffeId> identities(NodeKey node) {
        return identities(node.mesh(), services(node));
    }

    /** The same for services that were read before. */
    public static List<SpiffeId> identities(String mesh, Set<String> services) {
        return services.stream()
                .flatMap(service -> Identities.of(mesh, service).stream())
                .toList();
    }

    /** What it is an instance of, in the order of its inbounds; nothing if it has no resource yet. */
    public Set<String> services(NodeKey node) {
        return store.find(node.dataplane()).stream()
                .flatMap(stored -> tags(stored.resource()))
                .map(tags -> tags.getOrDefault(SERVICE_TAG, ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<Map<String, String>> tags(Resource dataplane) {
        if (!(DataplaneSpec.READER.read(dataplane.spec()) instanceof Result.Accepted<DataplaneSpec>(var spec))) {
            return Stream.empty();
        }
        return spec.inbound().isEmpty() && spec.gateway() != null
                ? Stream.of(spec.gateway().tags())
                : spec.inbound().stream().map(Inbound::tags);
    }
}
