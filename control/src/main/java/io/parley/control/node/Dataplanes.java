package io.parley.control.node;

import io.parley.identity.certificate.SpiffeId;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.mesh.DataplaneSpec;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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
            labels.putAll(tags(found.resource()));
            labels.putAll(found.resource().labels());
        });
        return labels;
    }

    /** The one name that its certificates have: its mesh, and the service of its first inbound or of its gateway. */
    public Optional<SpiffeId> identity(NodeKey node) {
        return store.find(node.dataplane())
                .map(stored -> tags(stored.resource()).get(SERVICE_TAG))
                .flatMap(service -> spiffeId(node.mesh(), service));
    }

    /** A tag may have characters that a name in a certificate may not. */
    private static Optional<SpiffeId> spiffeId(String mesh, String service) {
        try {
            return Optional.of(SpiffeId.ofService(mesh, service));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> tags(Resource dataplane) {
        if (!(DataplaneSpec.READER.read(dataplane.spec()) instanceof Result.Accepted<DataplaneSpec>(var spec))) {
            return Map.of();
        }
        if (!spec.inbound().isEmpty()) {
            return spec.inbound().getFirst().tags();
        }
        return spec.gateway() == null ? Map.of() : spec.gateway().tags();
    }
}
