package io.parley.resource.policy;

import io.parley.resource.read.Fields;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Reads the lists of a policy about traffic. */
public final class Sections {
    /** Reads what an item sets; some settings are not for every target. */
    @FunctionalInterface
    public interface ConfReader<C> {
        C read(Fields conf, TargetRef item);
    }

    private Sections() {}

    public static <C> List<TrafficPolicy.Item<C>> items(
            Fields spec, String name, Set<TargetKind> kinds, ConfReader<C> reader) {
        return spec.at(name).objects(item -> {
            TargetRef target = TargetRefs.of(item, kinds);
            return new TrafficPolicy.Item<>(
                    target, item.at("default").requireObject(conf -> reader.read(conf, target)));
        });
    }

    public static <C> List<TrafficPolicy.Rule<C>> rules(Fields spec, Function<Fields, C> reader) {
        return spec.at("rules")
                .objects(rule -> new TrafficPolicy.Rule<>(
                        rule.at("matches").objects(CallerMatch::read),
                        rule.at("default").requireObject(reader)));
    }

    /** {@code rules} takes the place of the others, so they do not stand together; one of them is needed. */
    public static void needSomeOf(Fields spec, String... names) {
        List<String> given =
                List.of(names).stream().filter(name -> !isEmpty(spec, name)).toList();
        if (given.isEmpty()) {
            spec.fail("nothing (expected: items in at least one of " + String.join(", ", names) + ")");
        } else if (given.contains("rules") && given.size() > 1) {
            spec.fail(String.join(", ", given) + " (expected: rules alone, or the others without rules)");
        }
    }

    /** Gateways have no callers inside the mesh: where they may be meant, some policies act on what they send. */
    public static void onlyForGateways(Fields spec, TargetRef top, String name) {
        if (!top.mayIncludeGateways() && !isEmpty(spec, name)) {
            spec.fail(name, "not allowed here (no gateway is among the targets)");
        }
    }

    /** The counterpart: where gateways may be meant, a section about callers has no meaning. */
    public static void onlyForSidecars(Fields spec, TargetRef top, String name) {
        if (top.mayIncludeGateways() && !isEmpty(spec, name)) {
            spec.fail(
                    name,
                    "not allowed here (gateways may be among the targets; set targetRef.proxyTypes to [Sidecar], or"
                            + " use to)");
        }
    }

    /** Whether a list is absent or has no items. */
    public static boolean isEmpty(Fields spec, String name) {
        return spec.at(name).list(item -> item).isEmpty();
    }
}
