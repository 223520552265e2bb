package io.parley.xds.client.resource;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.Set;

/**
 * A resource as an answer brings it, out of its wrapper if it had one.
 *
 * @param name as the wrapper says; empty if it does not
 * @param version the resource's own if it has one, else that of the answer
 * @param body empty in a heartbeat, which only says that the resource is still there
 */
public record RawResource(String name, String version, Any body) {
    private static final Set<String> WRAPPERS = Set.of(
            "type.googleapis.com/envoy.api.v2.Resource", "type.googleapis.com/envoy.service.discovery.v3.Resource");

    /** A resource of an answer with the state of the world, wrapped or not. */
    static RawResource of(Any any, String answerVersion) throws InvalidProtocolBufferException {
        if (!WRAPPERS.contains(any.getTypeUrl())) {
            return new RawResource("", answerVersion, any);
        }
        Resource wrapper = Resource.parseFrom(any.getValue());
        String version = wrapper.getVersion().isEmpty() ? answerVersion : wrapper.getVersion();
        return new RawResource(wrapper.getName(), version, wrapper.getResource());
    }

    /** A resource of an answer with changes. */
    static RawResource of(Resource resource) {
        return new RawResource(resource.getName(), resource.getVersion(), resource.getResource());
    }

    boolean isHeartbeat() {
        return !name.isEmpty() && body.getTypeUrl().isEmpty() && body.getValue().isEmpty();
    }
}
