package io.parley.link.auth;

import java.util.Map;

/**
 * Who a node has proven to be.
 *
 * @param name what its credential names: a SPIFFE id, a data plane's name, a certificate's fingerprint
 * @param mesh empty if the credential is not bound to one
 * @param tenant empty if the deployment has none
 * @param labels of its resource, as far as whoever authenticated it knows them
 */
public record NodePrincipal(String name, String mesh, String tenant, Map<String, String> labels) {
    public NodePrincipal {
        labels = Map.copyOf(labels);
    }

    public static NodePrincipal named(String name) {
        return new NodePrincipal(name, "", "", Map.of());
    }
}
