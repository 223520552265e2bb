package io.parley.agreement.version;

import java.util.Map;

/**
 * Who asks, as far as it was proven before the negotiation: policies choose by this and not by what a node claims.
 *
 * @param tenant empty if the deployment has none
 * @param labels those of the data plane's resource; empty if it has none yet
 * @param nodeId the node id that the connection was opened with; empty if it came without
 */
public record Requester(String tenant, Map<String, String> labels, String nodeId) {
    public Requester {
        labels = Map.copyOf(labels);
    }
}
