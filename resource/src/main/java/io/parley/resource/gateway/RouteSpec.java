package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.List;

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
        if (parents.stream().distinct().count() < parents.size()) {
            field.fail("a parent is there twice (expected: each once, or with another sectionName or port)");
        }
        return parents;
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
