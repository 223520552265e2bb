package io.parley.link.auth;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who a node has proven to be.
 *
 * @param name what its credential names: a SPIFFE id, a data plane's name, a certificate's fingerprint
 * @param mesh empty if the credential is not bound to one
 * @param tenant empty if the deployment has none
 * @param labels of its resource, as far as whoever authenticated it knows them
 * @param service the only one that it may be of, whatever its resource says; null if its credential does not say
 */
public record NodePrincipal(
        String name,
        String mesh,
        String tenant,
        Map<String, String> labels,
        @Nullable String service) {
    public NodePrincipal {
        labels = Map.copyOf(labels);
    }

    /** One whose credential is for its name. */
    public NodePrincipal(String name, String mesh, String tenant, Map<String, String> labels) {
        this(name, mesh, tenant, labels, null);
    }

    public static NodePrincipal named(String name) {
        return new NodePrincipal(name, "", "", Map.of());
    }
}
