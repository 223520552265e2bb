package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;

/** What an HTTPRoute says. */
public record HttpRouteSpec(List<ParentRef> parents, List<String> hostnames, List<HttpRule> rules)
        implements RouteSpec {
    public static final SpecReader<HttpRouteSpec> READER = SpecReader.of(HttpRouteSpec::read);
    private static final int MOST_RULES = 16;
    private static final int MOST_MATCHES = 128;

    public HttpRouteSpec {
        parents = List.copyOf(parents);
        hostnames = List.copyOf(hostnames);
        rules = List.copyOf(rules);
    }

    private static HttpRouteSpec read(Fields fields) {
        fields.ignore("useDefaultGateways");
        Field field = fields.at("rules");
        List<HttpRule> rules = field.isPresent()
                ? RouteSpec.rules(MOST_RULES, field, field.requireObjects(HttpRule::read), HttpRule::name)
                : List.of(HttpRule.EMPTY);
        int matches = rules.stream().mapToInt(rule -> rule.matches().size()).sum();
        if (matches > MOST_MATCHES) {
            field.fail(matches + " matches in all rules (expected: at most " + MOST_MATCHES + ")");
        }
        return new HttpRouteSpec(RouteSpec.parents(fields), RouteSpec.hostnames(fields), rules);
    }

    @Override
    public int ruleCount() {
        return rules.size();
    }
}
