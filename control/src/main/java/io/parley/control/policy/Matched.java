package io.parley.control.policy;

import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Policy;
import io.parley.control.model.PolicyItem;
import io.parley.control.model.PolicyItem.Section;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.policy.TargetKind;
import java.util.List;
import java.util.function.Predicate;

/** The policies of one kind that act on one proxy. */
public final class Matched<C> {
    private final PolicyKind<C> kind;
    private final Dataplane dataplane;
    private final List<Policy> policies;
    private final Merges merges;

    private Matched(PolicyKind<C> kind, Dataplane dataplane, List<Policy> policies, Merges merges) {
        this.kind = kind;
        this.dataplane = dataplane;
        this.policies = policies;
        this.merges = merges;
    }

    /** Those that are in force. */
    public static <C> Matched<C> of(PolicyKind<C> kind, MeshModel mesh, Dataplane dataplane, Merges merges) {
        return of(kind, mesh, dataplane, merges, policy -> !policy.isShadow());
    }

    /** Those that are in force and those that are only looked at. */
    public static <C> Matched<C> withShadow(PolicyKind<C> kind, MeshModel mesh, Dataplane dataplane, Merges merges) {
        return of(kind, mesh, dataplane, merges, _ -> true);
    }

    private static <C> Matched<C> of(
            PolicyKind<C> kind, MeshModel mesh, Dataplane dataplane, Merges merges, Predicate<Policy> wanted) {
        List<Policy> policies = mesh.policies(kind.id()).stream()
                .filter(wanted)
                .filter(policy -> Selection.picks(policy, mesh, dataplane))
                .toList();
        return new Matched<>(kind, dataplane, policies, merges);
    }

    public List<Policy> policies() {
        return policies;
    }

    /** What holds for what is sent to a destination. */
    public Merged<C> to(Destination destination) {
        return merged(item -> item.section() == Section.TO && Selection.picks(item, destination));
    }

    /** What holds for the requests to a destination that a MeshHTTPRoute picks. */
    public Merged<C> to(Destination destination, String route) {
        return merged(item -> item.section() == Section.TO
                && (Selection.picks(item, destination) || Selection.picksRoute(item, route)));
    }

    /** What holds for what an inbound receives, whoever calls. */
    public Merged<C> inbound(Inbound inbound) {
        return merged(item -> isIncoming(item)
                && item.target().kind() == TargetKind.MESH
                && item.callers().isEmpty()
                && Selection.picks(item.policy(), dataplane, inbound));
    }

    /** The settings for what an inbound receives, the strongest first, each with the callers that it is for. */
    public List<PolicyItem> byCaller(Inbound inbound) {
        return sorted(item -> isIncoming(item) && Selection.picks(item.policy(), dataplane, inbound))
                .reversed();
    }

    /** The settings for a destination, the weakest first: where they do not merge field by field. */
    public List<PolicyItem> items(Destination destination) {
        return sorted(item -> item.section() == Section.TO && Selection.picks(item, destination));
    }

    /** What holds for the proxy as such. */
    public Merged<C> proxy() {
        return merged(item -> item.section() == Section.DEFAULT);
    }

    private static boolean isIncoming(PolicyItem item) {
        return item.section() == Section.FROM || item.section() == Section.RULES;
    }

    private Merged<C> merged(Predicate<PolicyItem> wanted) {
        return merges.of(kind, sorted(wanted));
    }

    private List<PolicyItem> sorted(Predicate<PolicyItem> wanted) {
        return policies.stream()
                .flatMap(policy -> policy.items().stream())
                .filter(wanted)
                .sorted(Precedence.ORDER)
                .toList();
    }
}
