package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What every kind of route has. */
public sealed interface RouteSpec permits HttpRouteSpec, GrpcRouteSpec, StreamRouteSpec {
    List<ParentRef> parents();

    /** Those that it is for; none for all that its listeners take. */
    List<String> hostnames();

    /** How many rules it has. */
    int ruleCount();

    static List<ParentRef> parents(Fields fields) {
        Field field = fields.at("parentRefs");
        List<ParentRef> parents = Texts.atMost(32, field, field.objects(ParentRef::read));
        if (parents.stream().distinct().count() < parents.size()
                || parents.stream().anyMatch(one -> one.isWhole() && isNamedAgain(one, parents))) {
            field.fail("a parent is there twice (expected: each once, or each with another sectionName or port)");
        }
        return parents;
    }

    private static boolean isNamedAgain(ParentRef one, List<ParentRef> all) {
        return all.stream().anyMatch(other -> !other.equals(one) && other.isSameObject(one));
    }

    /** The rules of a route, of which no two have the same name. */
    static <R> List<R> rules(int most, Field field, List<R> rules, Function<R, @Nullable String> name) {
        Set<String> seen = new HashSet<>();
        for (R rule : rules) {
            String given = name.apply(rule);
            if (given != null && !seen.add(given)) {
                field.fail("the name " + given + " is there twice (expected: another name for each rule)");
            }
        }
        return Texts.atMost(most, field, rules);
    }

    static List<String> hostnames(Fields fields) {
        Field field = fields.at("hostnames");
        return Texts.atMost(
                16,
                field,
                field.list(item -> item.requireText(
                        "a host name, with *. before it at most, and not an IP address", Texts::isHostname)));
    }
}
