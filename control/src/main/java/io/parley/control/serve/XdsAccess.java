package io.parley.control.serve;

import com.google.protobuf.Value;
import io.parley.control.draft.Flavor;
import io.parley.control.identity.XdsIdentities;
import io.parley.control.node.NodeKey;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.SnapshotSource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.util.Locale;
import java.util.Optional;

/**
 * Serves each xDS client the snapshot of the data plane or gateway that its token names; what it calls itself does not matter. Only on the local port
 * it is taken at its word.
 */
final class XdsAccess implements SnapshotSource {
    /** Whoever is on the same machine, where the administrator opened a port for those who cannot prove more. */
    static final String LOCAL = "local";

    private static final String MESH = "mesh";
    private static final String GATEWAY = "gateway";
    private static final String DEFAULT_MESH = "default";

    private final NodeSnapshots snapshots;
    private final XdsIdentities identities;

    XdsAccess(NodeSnapshots snapshots, XdsIdentities identities) {
        this.snapshots = snapshots;
        this.identities = identities;
    }

    @Override
    public Admission admit(NodeIdentity node) {
        return node(node)
                .<Admission>map(key -> new Admission.Serve(served(key, node), "there is no " + key.resource()))
                .orElseGet(() -> new Admission.Refuse("nobody proved who this is (expected: a data plane token)"));
    }

    /** Keys are for sidecars that have proved who they are; a gRPC program has its own in files. */
    private LiveSnapshot served(NodeKey key, NodeIdentity node) {
        Flavor flavor = flavor(node);
        LiveSnapshot snapshot = snapshots.of(key, flavor);
        boolean claimed = node.principal().filter(LOCAL::equals).isPresent();
        XdsIdentities.Proof proof = claimed ? XdsIdentities.Proof.NONE : XdsIdentities.Proof.TOKEN;
        return flavor == Flavor.GRPC || key.isGateway() || key.isZoneProxy()
                ? snapshot
                : identities.of(key, flavor, proof, snapshot);
    }

    /** By what a client calls its program: whoever is no gRPC and not ours is taken for an Envoy. */
    private static Flavor flavor(NodeIdentity node) {
        String program = node.userAgent().name().toLowerCase(Locale.ROOT);
        if (program.contains("parley")) {
            return Flavor.PARLEY;
        }
        return program.contains("grpc") ? Flavor.GRPC : Flavor.ENVOY;
    }

    static String principal(NodeKey node) {
        return node.mesh() + "/" + node.name();
    }

    /** The data plane that a client proved to be. */
    static Optional<NodeKey> node(NodeIdentity node) {
        return node.principal().flatMap(principal -> {
            if (principal.equals(LOCAL)) {
                return claimed(node);
            }
            int slash = principal.indexOf('/');
            return Optional.of(new NodeKey(principal.substring(0, slash), principal.substring(slash + 1)));
        });
    }

    private static Optional<NodeKey> claimed(NodeIdentity node) {
        String gateway = metadata(node, GATEWAY);
        int slash = gateway.indexOf('/');
        if (slash > 0) {
            return Optional.of(NodeKey.ofGateway(gateway.substring(0, slash), gateway.substring(slash + 1)));
        }
        String mesh = metadata(node, MESH);
        return node.id().isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeKey(mesh.isEmpty() ? DEFAULT_MESH : mesh, node.id()));
    }

    private static String metadata(NodeIdentity node, String name) {
        return node.metadata()
                .getFieldsOrDefault(name, Value.getDefaultInstance())
                .getStringValue();
    }
}
