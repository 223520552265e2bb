package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.policy.CallerMatch;
import io.parley.resource.policy.PolicySpec;
import io.parley.resource.policy.ProxyPolicy;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TrafficPolicy;
import java.util.ArrayList;
import java.util.List;

/** One set of settings in a policy. Two are the same only if they are the same object. */
public final class PolicyItem {
    /** Where in a policy it stands. */
    public enum Section {
        /** By destination. */
        TO("to"),
        /** By caller. */
        FROM("from"),
        /** For incoming traffic. */
        RULES("rules"),
        /** For the proxy as such. */
        DEFAULT("default");

        private final String field;

        Section(String field) {
            this.field = field;
        }
    }

    private final Policy policy;
    private final Section section;
    private final int index;
    private final TargetRef target;
    private final List<CallerMatch> callers;
    private final Object typed;
    private final ObjectNode conf;
    private final String path;

    private PolicyItem(Policy policy, Section section, int index, Typed typed, JsonNode written) {
        this.policy = policy;
        this.section = section;
        this.index = index;
        this.target = typed.target();
        this.callers = typed.callers();
        this.typed = typed.conf();
        // A route stands beside its target, every other setting under "default".
        boolean under = section != Section.DEFAULT && written.has("default");
        JsonNode settings = under ? written.path("default") : written;
        this.conf = settings instanceof ObjectNode tree ? tree : written.withObject("/default");
        String place = section == Section.DEFAULT ? "spec.default" : "spec." + section.field + "[" + index + "]";
        this.path = under ? place + ".default" : place;
    }

    private record Typed(TargetRef target, List<CallerMatch> callers, Object conf) {}

    static List<PolicyItem> of(Policy policy, ObjectNode tree) {
        List<PolicyItem> items = new ArrayList<>();
        switch ((PolicySpec<?>) policy.spec()) {
            case ProxyPolicy<?>(var _, var conf) ->
                items.add(new PolicyItem(
                        policy, Section.DEFAULT, 0, new Typed(TargetRef.MESH, List.of(), conf), tree.path("default")));
            case TrafficPolicy<?>(var _, var to, var from, var rules) -> {
                addAll(items, policy, Section.TO, tree.path("to"), typed(to));
                addAll(items, policy, Section.FROM, tree.path("from"), typed(from));
                List<Typed> ruled = rules.stream()
                        .map(rule -> new Typed(TargetRef.MESH, rule.matches(), rule.conf()))
                        .toList();
                addAll(items, policy, Section.RULES, tree.path("rules"), ruled);
            }
        }
        return List.copyOf(items);
    }

    private static List<Typed> typed(List<? extends TrafficPolicy.Item<?>> items) {
        return items.stream()
                .map(item -> new Typed(item.target(), List.of(), item.conf()))
                .toList();
    }

    private static void addAll(
            List<PolicyItem> items, Policy policy, Section section, JsonNode written, List<Typed> typed) {
        for (int index = 0; index < typed.size(); index++) {
            items.add(new PolicyItem(policy, section, index, typed.get(index), written.path(index)));
        }
    }

    public Policy policy() {
        return policy;
    }

    /** Its place among those of its section. */
    public int index() {
        return index;
    }

    public Section section() {
        return section;
    }

    /** Whom it is for: destinations or callers. */
    public TargetRef target() {
        return target;
    }

    /** The callers that it is for, where it stands among rules; none for all. */
    public List<CallerMatch> callers() {
        return callers;
    }

    /** What it sets, as its kind says. */
    public Object typed() {
        return typed;
    }

    /** The same as it was written. Belongs to the model: to be read, never to be changed. */
    public ObjectNode conf() {
        return conf;
    }

    /** Where in the manifest that stands. */
    public String path() {
        return path;
    }

    @Override
    public String toString() {
        return policy + " " + path;
    }
}
