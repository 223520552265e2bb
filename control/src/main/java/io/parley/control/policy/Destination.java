package io.parley.control.policy;

import io.parley.control.model.MeshModel;
import io.parley.control.model.Service;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a proxy sends to.
 *
 * @param tags that narrow the service down to a part of its endpoints; empty for all
 */
public record Destination(String service, Map<String, String> tags, boolean external) {
    public Destination {
        tags = Map.copyOf(tags);
    }

    /** A whole service, or a part of it. */
    public static Destination of(MeshModel mesh, String service, Map<String, String> tags) {
        boolean external =
                mesh.services().find(service).filter(Service::isExternal).isPresent();
        return new Destination(service, tags, external);
    }

    /** A name for it that says all: {@code backend{version=v2}}. */
    public String clusterName() {
        return tags.isEmpty()
                ? service
                : service
                        + new TreeMap<>(tags)
                                .entrySet().stream()
                                        .map(tag -> tag.getKey() + "=" + tag.getValue())
                                        .collect(Collectors.joining(",", "{", "}"));
    }
}
