package io.parley.sync.admin;

import io.parley.wire.sync.proto.AdminRequest;

/**
 * What somebody wants to know of a proxy.
 *
 * @param kind of the proxy's resource, such as Dataplane
 * @param name that the zone has given it
 */
public record Question(Topic topic, String kind, String mesh, String name) {
    /** What it is about. Each topic has a stream of its own, as Kuma has it. */
    public enum Topic {
        CONFIG("StreamXDSConfigs"),
        STATS("StreamStats"),
        CLUSTERS("StreamClusters");

        private final String method;

        Topic(String method) {
            this.method = method;
        }

        public String method() {
            return method;
        }
    }

    static Question of(Topic topic, AdminRequest request) {
        return new Question(topic, request.getResourceType(), request.getResourceMesh(), request.getResourceName());
    }

    AdminRequest message(String id) {
        return AdminRequest.newBuilder()
                .setRequestId(id)
                .setResourceType(kind)
                .setResourceName(name)
                .setResourceMesh(mesh)
                .build();
    }
}
