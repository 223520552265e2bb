package io.parley.link.auth;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a node has proven to be.
 *
 * @param name what its credential names: a SPIFFE id, a data plane's name, a certificate's fingerprint
 * @param mesh empty if the credential is not bound to one
 * @param tenant empty if the deployment has none
 * @param labels of its resource, as far as whoever authenticated it knows them
 * @param proven the services that its credential is for: it may be of no others, whatever its resource says; null if the credential is
 *     for its name
 */
public record NodePrincipal(
        String name,
        String mesh,
        String tenant,
        Map<String, String> labels,
        @Nullable Set<String> proven) {
    public NodePrincipal {
        labels = Map.copyOf(labels);
        proven = proven == null ? null : Set.copyOf(proven);
    }

    /** One whose credential is for its name. */
    public NodePrincipal(String name, String mesh, String tenant, Map<String, String> labels) {
        this(name, mesh, tenant, labels, null);
    }

    public static NodePrincipal named(String name) {
        return new NodePrincipal(name, "", "", Map.of());
    }
}
