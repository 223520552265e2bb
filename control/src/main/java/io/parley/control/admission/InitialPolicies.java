package io.parley.control.admission;

import io.parley.control.model.Names;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.mesh.MeshSpec;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The policies that a mesh comes with, by the names and values that Kuma gives them; {@code skipCreatingInitialPolicies} names the kinds
 * that it is to be without. They are ordinary policies, made once: people change and delete them. Their label makes them weaker than
 * whatever people write for as much (docs/decisions/0260).
 */
public final class InitialPolicies {
    private static final String ALL = "*";

    /** {@code to} says nothing of requests: 15 s hold without it, and none for calls of gRPC, which may stream for hours. */
    private static final String SIDECARS = """
        {"targetRef":{"kind":"Mesh","proxyTypes":["Sidecar"]},
         "to":[{"targetRef":{"kind":"Mesh"},"default":{"connectionTimeout":"5s","idleTimeout":"1h",
           "http":{"streamIdleTimeout":"30m"}}}],
         "from":[{"targetRef":{"kind":"Mesh"},"default":{"connectionTimeout":"10s","idleTimeout":"2h",
           "http":{"requestTimeout":"0s","streamIdleTimeout":"1h","maxStreamDuration":"0s"}}}]}
        """;

    private static final String GATEWAYS = """
        {"targetRef":{"kind":"Mesh","proxyTypes":["Gateway"]},
         "to":[{"targetRef":{"kind":"Mesh"},"default":{"idleTimeout":"1h","http":{"streamIdleTimeout":"5s"}}}],
         "from":[{"targetRef":{"kind":"Mesh"},"default":{"idleTimeout":"5m",
           "http":{"streamIdleTimeout":"5s","requestHeadersTimeout":"500ms"}}}]}
        """;

    private static final String BREAKER = """
        {"targetRef":{"kind":"Mesh"},
         "to":[{"targetRef":{"kind":"Mesh"},"default":{"connectionLimits":
           {"maxConnections":1024,"maxPendingRequests":1024,"maxRequests":1024,"maxRetries":3}}}]}
        """;

    /** A try of gRPC has no end of its own, for the same reason. */
    private static final String RETRIES = """
        {"targetRef":{"kind":"Mesh"},
         "to":[{"targetRef":{"kind":"Mesh"},"default":{"tcp":{"maxConnectAttempt":5},
           "http":{"numRetries":5,"perTryTimeout":"16s","backOff":{"baseInterval":"25ms","maxInterval":"250ms"}},
           "grpc":{"numRetries":5,"backOff":{"baseInterval":"25ms","maxInterval":"250ms"}}}}]}
        """;

    private record Initial(String kind, String name, String spec) {
        Document document() {
            return Document.of(new Document(spec).tree());
        }
    }

    private static final List<Initial> INITIAL = List.of(
            new Initial("MeshTimeout", "mesh-timeout-all-", SIDECARS),
            new Initial("MeshTimeout", "mesh-gateways-timeout-all-", GATEWAYS),
            new Initial("MeshCircuitBreaker", "mesh-circuit-breaker-all-", BREAKER),
            new Initial("MeshRetry", "mesh-retry-all-", RETRIES));

    private InitialPolicies() {}

    /** What is to be stored along with a mesh that is new, in the same commit. */
    public static List<Change> along(Resource mesh, ResourceStore store) {
        List<Change> changes = new ArrayList<>();
        List<String> skipped = skipped(mesh);
        for (Initial initial : INITIAL) {
            ResourceKey key = new ResourceKey(
                    new KindId(initial.kind()),
                    mesh.key().name(),
                    initial.name() + mesh.key().name());
            if (!skipped.contains(ALL)
                    && !skipped.contains(initial.kind())
                    && store.find(key).isEmpty()) {
                Resource policy = Resource.of(key, initial.document()).withLabels(Map.of(Names.INITIAL, "true"));
                changes.add(new Change.Put(policy, Expected.absent(), mesh.key()));
            }
        }
        return changes;
    }

    private static List<String> skipped(Resource mesh) {
        return MeshSpec.READER.read(mesh.spec()) instanceof Result.Accepted<MeshSpec>(MeshSpec spec)
                ? spec.skipCreatingInitialPolicies()
                : List.of();
    }
}
