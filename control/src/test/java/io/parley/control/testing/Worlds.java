package io.parley.control.testing;

import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.Manifests;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import io.parley.store.Event;
import io.parley.store.Revision;
import io.parley.store.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Makes models from manifests. */
public final class Worlds {
    private Worlds() {}

    public static List<Resource> resources(String yaml) {
        Manifests manifests =
                new ManifestReader(StatusField.KEEP).read(yaml.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
        return switch (manifests) {
            case Manifests.Good(var resources) -> resources;
            case Manifests.Faulty faulty -> throw new IllegalArgumentException("bad manifest: " + faulty.problems());
        };
    }

    public static List<Event> written(String yaml) {
        return resources(yaml).stream().map(Worlds::written).toList();
    }

    public static Event written(Resource resource) {
        return new Event.Written(new Stored(resource, Revision.START, 1, null, Instant.EPOCH, Instant.EPOCH));
    }

    public static Event deleted(String kind, String space, String name) {
        return new Event.Deleted(new ResourceKey(new KindId(kind), space, name), Revision.START);
    }

    public static Model model(String yaml) {
        return Model.empty(null).after(written(yaml)).model();
    }

    public static MeshModel mesh(String yaml) {
        return model(yaml).mesh("default").orElseThrow();
    }

    /** A Dataplane with one inbound per {@code service[:protocol]}, from port 8080 on. */
    public static String dataplane(String name, String address, String... services) {
        StringBuilder yaml = new StringBuilder("""
            ---
            type: Dataplane
            mesh: default
            name: %s
            networking:
              address: %s
              inbound:
            """.formatted(name, address));
        int port = 8080;
        for (String service : services) {
            String[] parts = service.split(":", -1);
            yaml.append("    - port: ")
                    .append(port++)
                    .append("\n      tags: {kuma.io/service: ")
                    .append(parts[0]);
            if (parts.length > 1) {
                yaml.append(", kuma.io/protocol: ").append(parts[1]);
            }
            yaml.append("}\n");
        }
        return yaml.toString();
    }
}
