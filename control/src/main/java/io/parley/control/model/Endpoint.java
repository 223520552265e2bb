package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One place where a service is.
 *
 * @param id unique in its service, and what people call it: {@code dataplane/web-1:8080}
 * @param zone where it is; null if it does not say
 * @param weight how many instances stand behind it
 * @param protocol what it takes, and who says so
 * @param identity whom its certificate names: a SPIFFE id; null if it has no proxy before it
 * @param port of the workload, which is also the proxy's where it takes no headers; of an ingress that is told no port behind it, its own
 * @param meshPort where connections with a header are taken; null if they are not
 */
public record Endpoint(
        String id,
        String address,
        int port,
        Map<String, String> tags,
        boolean healthy,
        @Nullable String zone,
        int weight,
        Decision<Protocol> protocol,
        Kind kind,
        @Nullable String identity,
        @Nullable Integer meshPort) {
    static final String DATAPLANE = "dataplane/";

    /** What stands there. */
    public enum Kind {
        /** A workload with a proxy of the mesh beside it. */
        SIDECAR,
        /** A workload without one. */
        PLAIN,
        /** The ingress of another zone, which passes connections on by server name. */
        OTHER_ZONE,
        /** Something outside the mesh. */
        EXTERNAL
    }

    public Endpoint {
        tags = Map.copyOf(tags);
    }

    /** The Dataplane that it is an inbound of, if it is one. */
    public Optional<String> dataplane() {
        boolean inbound = kind == Kind.SIDECAR && id.startsWith(DATAPLANE);
        return inbound ? Optional.of(id.substring(DATAPLANE.length(), id.lastIndexOf(':'))) : Optional.empty();
    }

    public boolean carries(Map<String, String> wanted) {
        return wanted.entrySet().stream()
                .allMatch(tag -> tag.getValue().equals("*")
                        ? tags.containsKey(tag.getKey())
                        : tag.getValue().equals(tags.get(tag.getKey())));
    }
}
