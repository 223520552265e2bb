package io.parley.resource.gateway;

import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The parts of a rule. A route that is stored is not lost as a whole, and takes no other with it, for what was allowed once and
 * would not be let in today: the part is left out, and its rule is told of as unfit.
 */
final class RuleParts {
    private final Fields rule;
    private final List<RouteFilter> unfit = new ArrayList<>();

    RuleParts(Fields rule) {
        this.rule = rule;
    }

    /** Reads one; {@code without} stands for one that is unfit. */
    <T> T read(String name, T without, Function<Field, T> reader) {
        Field part = rule.at(name);
        if (!rule.isStored()) {
            return reader.apply(part);
        }
        return switch (part.apart(reader)) {
            case Result.Accepted<T>(T value) -> value;
            case Result.Rejected<T>(var violations) -> {
                unfit.add(unfit(violations));
                yield without;
            }
        };
    }

    /** Its filters, and one more for each part that is unfit. */
    List<RouteFilter> with(List<RouteFilter> filters) {
        List<RouteFilter> all = new ArrayList<>(filters);
        all.addAll(unfit);
        return all;
    }

    static RouteFilter.Unfit unfit(List<Violation> violations) {
        return new RouteFilter.Unfit(
                violations.stream().map(Violation::toString).collect(Collectors.joining(" and ")));
    }
}
