package io.parley.control.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.agreement.reason.Decision;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Policy;
import io.parley.control.model.PolicyItem;
import io.parley.control.policy.Destination;
import io.parley.control.policy.Matched;
import io.parley.control.policy.Merged;
import io.parley.control.policy.Merges;
import io.parley.control.policy.PolicyKind;
import io.parley.control.policy.Selection;
import io.parley.control.policy.trace.TraceEffect;
import io.parley.control.snapshot.AllPolicies;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.policy.trace.Tracing;
import java.util.List;
import java.util.Map;

/** What policies say, field by field. */
final class PolicySteps {
    /** These are not merged field by field: routes by their matches, permissions by caller. */
    private static final List<String> BY_ITEM = List.of("MeshHTTPRoute", "MeshTrafficPermission", "MeshFaultInjection");

    private final MeshModel mesh;
    private final Dataplane dataplane;
    private final Merges merges;

    PolicySteps(MeshModel mesh, Dataplane dataplane, Merges merges) {
        this.mesh = mesh;
        this.dataplane = dataplane;
        this.merges = merges;
    }

    void addTo(Destination destination, List<Step> steps) {
        for (PolicyKind<?> kind : AllPolicies.kinds()) {
            Matched<?> matched = Matched.of(kind, mesh, dataplane, merges);
            if (BY_ITEM.contains(kind.id().value())) {
                items(matched.items(destination).reversed(), "to " + destination.service(), steps);
            } else {
                fields(kind, "to " + destination.service(), matched.to(destination), steps);
            }
        }
    }

    void addInbound(Inbound inbound, List<Step> steps) {
        String where = "on port " + inbound.port() + " of " + dataplane.displayName();
        for (PolicyKind<?> kind : AllPolicies.kinds()) {
            Matched<?> matched = Matched.of(kind, mesh, dataplane, merges);
            if (BY_ITEM.contains(kind.id().value())) {
                items(matched.byCaller(inbound), where, steps);
            } else {
                fields(kind, where, matched.inbound(inbound), steps);
            }
        }
    }

    void addProxy(List<Step> steps) {
        for (PolicyKind<?> kind : AllPolicies.kinds()) {
            fields(
                    kind,
                    "on " + dataplane.displayName(),
                    Matched.of(kind, mesh, dataplane, merges).proxy(),
                    steps);
        }
        Matched<Tracing> traces = Matched.of(TraceEffect.KIND, mesh, dataplane, merges);
        traces.proxy()
                .conf()
                .flatMap(TraceEffect::notApplied)
                .ifPresent(because -> steps.add(new Step(
                        TraceEffect.KIND.id() + " on " + dataplane.displayName(),
                        "not applied by our own proxies",
                        because,
                        traces.policies().getLast().toString(),
                        "spec.default.backends[0]",
                        "what a proxy cannot do is not sent to it")));
    }

    /** Those that would act if they were not only looked at. */
    void addShadow(List<Step> steps) {
        for (PolicyKind<?> kind : AllPolicies.kinds()) {
            for (Policy policy : mesh.policies(kind.id())) {
                if (policy.isShadow() && Selection.picks(policy, mesh, dataplane)) {
                    steps.add(new Step(
                            "shadow",
                            policy.toString(),
                            "selects this proxy and acts on nothing",
                            policy.toString(),
                            "metadata.labels[\"kuma.io/effect\"]",
                            "shadow policies are looked at only"));
                }
            }
        }
    }

    private static void fields(PolicyKind<?> kind, String where, Merged<?> merged, List<Step> steps) {
        for (Map.Entry<String, Decision<JsonNode>> field : merged.fields().entrySet()) {
            JsonNode value = field.getValue().value();
            String shown = value.isTextual() ? value.asText() : value.toString();
            steps.add(Step.of(
                    kind.id() + " " + field.getKey() + " " + where,
                    OthersOnly.include(kind.id().value(), field.getKey())
                            ? shown + " (not applied by our own proxies)"
                            : shown,
                    field.getValue()));
        }
        for (Merged.LeftOut left : merged.left()) {
            steps.add(new Step(
                    kind.id() + " " + where,
                    "left out",
                    "together with weaker policies it makes no sense: " + left.violations(),
                    left.item().policy().toString(),
                    left.item().path(),
                    "a combination that is not valid is not used"));
        }
    }

    private static void items(List<PolicyItem> strongestFirst, String where, List<Step> steps) {
        for (PolicyItem item : strongestFirst) {
            steps.add(new Step(
                    item.policy().kind() + " " + where,
                    item.conf().toString(),
                    "from policy " + item.policy().displayName(),
                    item.policy().toString(),
                    item.path(),
                    "the strongest that fits decides"));
        }
    }
}
