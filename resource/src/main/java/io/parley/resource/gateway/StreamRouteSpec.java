package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a TLSRoute, TCPRoute or UDPRoute says: they look at no more than where a connection goes. */
public record StreamRouteSpec(List<ParentRef> parents, List<String> hostnames, List<Rule> rules) implements RouteSpec {
    /** Where connections go. */
    public record Rule(@Nullable String name, List<BackendRef> backends) {
        public Rule {
            backends = List.copyOf(backends);
        }

        private static Rule read(Fields fields) {
            Field field = fields.at("backendRefs");
            return new Rule(
                    Texts.section(fields.at("name")), Texts.atMost(16, field, field.requireObjects(BackendRef::read)));
        }
    }

    public static final SpecReader<StreamRouteSpec> TLS =
            SpecReader.of(fields -> read(fields, RouteSpec.hostnames(fields)));
    public static final SpecReader<StreamRouteSpec> PLAIN = SpecReader.of(fields -> read(fields, List.of()));
    private static final int MOST_RULES = 16;

    public StreamRouteSpec {
        parents = List.copyOf(parents);
        hostnames = List.copyOf(hostnames);
        rules = List.copyOf(rules);
    }

    private static StreamRouteSpec read(Fields fields, List<String> hostnames) {
        fields.ignore("useDefaultGateways");
        Field field = fields.at("rules");
        return new StreamRouteSpec(
                RouteSpec.parents(fields),
                hostnames,
                RouteSpec.rules(MOST_RULES, field, field.requireObjects(Rule::read), Rule::name));
    }

    @Override
    public int ruleCount() {
        return rules.size();
    }
}
