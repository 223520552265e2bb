package io.parley.link.config;

import com.google.protobuf.CodedOutputStream;
import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.VersionedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What has to be sent so that a node that holds one state comes to hold another. */
final class PushPlan {
    private final String typeUrl;
    private final String version;
    private final int partBytes;
    private final List<PushRequest.Builder> parts = new ArrayList<>();
    private int lastBytes;

    private PushPlan(String typeUrl, String version, int partBytes) {
        this.typeUrl = typeUrl;
        this.version = version;
        this.partBytes = partBytes;
    }

    /**
     * Empty if the node has everything already. All but the last are marked as having more to come.
     *
     * @param held name to version
     * @param partBytes a part is ended when it has grown to this; a resource is never cut
     */
    static List<PushRequest> of(String typeUrl, Map<String, String> held, ResourceState state, int partBytes) {
        var plan = new PushPlan(typeUrl, state.version(), partBytes);
        for (String name : new TreeMap<>(held).keySet()) {
            if (!state.resources().containsKey(name)) {
                plan.remove(name);
            }
        }
        new TreeMap<>(state.resources()).forEach((name, item) -> {
            if (!item.version().equals(held.get(name))) {
                plan.put(name, item);
            }
        });
        return plan.pushes();
    }

    private void remove(String name) {
        partFor(CodedOutputStream.computeStringSize(PushRequest.REMOVED_RESOURCES_FIELD_NUMBER, name))
                .addRemovedResources(name);
    }

    private void put(String name, ResourceState.Item item) {
        var resource = VersionedResource.newBuilder()
                .setName(name)
                .setVersion(item.version())
                .setValue(item.value())
                .build();
        partFor(CodedOutputStream.computeMessageSize(PushRequest.RESOURCES_FIELD_NUMBER, resource))
                .addResources(resource);
    }

    private PushRequest.Builder partFor(int bytes) {
        if (parts.isEmpty() || lastBytes + bytes > partBytes) {
            parts.add(PushRequest.newBuilder().setTypeUrl(typeUrl).setSystemVersion(version));
            lastBytes = 0;
        }
        lastBytes += bytes;
        return parts.getLast();
    }

    private List<PushRequest> pushes() {
        parts.stream().limit(Math.max(0, parts.size() - 1)).forEach(earlier -> earlier.setMore(true));
        return parts.stream().map(PushRequest.Builder::build).toList();
    }
}
