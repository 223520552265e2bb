package io.parley.control.policy;

import io.parley.control.model.Policy;
import io.parley.control.model.PolicyItem;
import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import java.util.Comparator;
import java.util.List;

/**
 * Which of two settings for the same thing wins: the later in this order. Each rule decides only where those before it do not,
 * so that the kind of target beats where a policy was made: a global policy for one service wins over a zone's for the mesh.
 */
final class Precedence {
    private record Rule(String name, Comparator<PolicyItem> order) {}

    private static final List<Rule> RULES = List.of(
            new Rule(
                    "the more specific target kind wins",
                    Comparator.comparing(item -> top(item).kind())),
            new Rule("a Dataplane picked by name wins over one picked by labels", comparing(Precedence::naming)),
            new Rule("a target with a section wins over one without", comparing(item -> section(top(item)))),
            new Rule(
                    "what somebody wrote beats what came with the mesh",
                    comparing(item -> policy(item).isInitial() ? 0 : 1)),
            new Rule(
                    "zone beats global at equal kind",
                    Comparator.comparing(item -> policy(item).origin())),
            new Rule("more gateway tags win", comparing(Precedence::gatewayTags)),
            new Rule(
                    "the role nearer to the workload wins",
                    Comparator.comparing(item -> policy(item).role())),
            new Rule(
                    "the more specific item kind wins",
                    Comparator.comparing(item -> item.target().kind())),
            new Rule("an item with a section wins over one without", comparing(item -> section(item.target()))),
            new Rule(
                    "the alphabetically first name wins",
                    Comparator.comparing((PolicyItem item) -> policy(item).displayName())
                            .thenComparing(item -> policy(item).key())
                            .reversed()),
            new Rule("the later item of a policy wins", comparing(PolicyItem::index)));

    static final Comparator<PolicyItem> ORDER =
            RULES.stream().map(Rule::order).reduce(Comparator::thenComparing).orElseThrow();

    private Precedence() {}

    /** The rule by which one of them wins over the other. */
    static String deciding(PolicyItem winner, PolicyItem loser) {
        return RULES.stream()
                .filter(rule -> rule.order().compare(winner, loser) != 0)
                .map(Rule::name)
                .findFirst()
                .orElse("the same item");
    }

    private static Comparator<PolicyItem> comparing(java.util.function.ToIntFunction<PolicyItem> rank) {
        return Comparator.comparingInt(rank);
    }

    private static Policy policy(PolicyItem item) {
        return item.policy();
    }

    private static TargetRef top(PolicyItem item) {
        return item.policy().spec().target();
    }

    private static int naming(PolicyItem item) {
        TargetRef target = top(item);
        boolean dataplane = target.kind() == TargetKind.DATAPLANE;
        return !dataplane ? 0 : target.name() != null ? 2 : target.labels().isEmpty() ? 0 : 1;
    }

    private static int section(TargetRef target) {
        return target.sectionName() == null ? 0 : 1;
    }

    private static int gatewayTags(PolicyItem item) {
        TargetRef target = top(item);
        return target.kind() == TargetKind.MESH_GATEWAY ? target.tags().size() : 0;
    }
}
