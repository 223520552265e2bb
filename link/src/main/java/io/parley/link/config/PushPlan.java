package io.parley.link.config;

import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.VersionedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What has to be sent so that a node that holds one state comes to hold another. */
final class PushPlan {
    private PushPlan() {}

    /**
     * Empty if the node has everything already. All but the last are marked as having more to come.
     *
     * @param held name to version
     * @param partBytes a part is ended when it has grown to this; a resource is never cut
     */
    static List<PushRequest> of(String typeUrl, Map<String, String> held, ResourceState state, int partBytes) {
        List<PushRequest.Builder> parts = new ArrayList<>();
        PushRequest.Builder part = begin(typeUrl, state, parts);
        int bytes = 0;
        for (String name : new TreeMap<>(held).keySet()) {
            if (!state.resources().containsKey(name)) {
                part.addRemovedResources(name);
            }
        }
        for (Map.Entry<String, ResourceState.Item> entry : new TreeMap<>(state.resources()).entrySet()) {
            ResourceState.Item item = entry.getValue();
            if (item.version().equals(held.get(entry.getKey()))) {
                continue;
            }
            if (bytes > 0 && bytes + item.value().size() > partBytes) {
                part = begin(typeUrl, state, parts);
                bytes = 0;
            }
            part.addResources(VersionedResource.newBuilder()
                    .setName(entry.getKey())
                    .setVersion(item.version())
                    .setValue(item.value()));
            bytes += item.value().size() + entry.getKey().length();
        }
        if (part.getResourcesCount() == 0 && part.getRemovedResourcesCount() == 0) {
            return List.of();
        }
        parts.subList(0, parts.size() - 1).forEach(earlier -> earlier.setMore(true));
        return parts.stream().map(PushRequest.Builder::build).toList();
    }

    private static PushRequest.Builder begin(String typeUrl, ResourceState state, List<PushRequest.Builder> parts) {
        PushRequest.Builder part = PushRequest.newBuilder().setTypeUrl(typeUrl).setSystemVersion(state.version());
        parts.add(part);
        return part;
    }
}
