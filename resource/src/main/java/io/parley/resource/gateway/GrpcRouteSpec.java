package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;

/** What a GRPCRoute says. */
public record GrpcRouteSpec(List<ParentRef> parents, List<String> hostnames, List<HttpRule> rules)
        implements RouteSpec {
    public static final SpecReader<GrpcRouteSpec> READER = SpecReader.of(GrpcRouteSpec::read);
    private static final int MOST_RULES = 16;
    private static final int MOST_MATCHES = 128;

    public GrpcRouteSpec {
        parents = List.copyOf(parents);
        hostnames = List.copyOf(hostnames);
        rules = List.copyOf(rules);
    }

    private static GrpcRouteSpec read(Fields fields) {
        fields.ignore("useDefaultGateways");
        Field field = fields.at("rules");
        List<HttpRule> rules = RouteSpec.rules(MOST_RULES, field, field.objects(HttpRule::readGrpc), HttpRule::name);
        int matches = rules.stream().mapToInt(rule -> rule.matches().size()).sum();
        if (matches > MOST_MATCHES) {
            field.fail(matches + " matches in all rules (expected: at most " + MOST_MATCHES + ")");
        }
        return new GrpcRouteSpec(RouteSpec.parents(fields), RouteSpec.hostnames(fields), rules);
    }

    @Override
    public int ruleCount() {
        return rules.size();
    }
}
