package io.parley.resource.version;

import io.parley.agreement.version.NodeSelector;
import io.parley.agreement.version.NodeVersion;
import io.parley.agreement.version.NodeVersionRange;
import io.parley.agreement.version.ServiceRule;
import io.parley.agreement.version.VersionPolicy;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of services the control plane agrees to with some data planes.
 *
 * @param match the data planes
 * @param priority of several policies for a data plane, the one with the highest says what holds for a service
 * @param services by the name of the negotiation
 */
public record VersionPolicySpec(NodeSelector match, int priority, Map<String, ServiceRule> services) {
    public static final SpecReader<VersionPolicySpec> READER = SpecReader.of(VersionPolicySpec::read);

    private static final IntRange PRIORITY = new IntRange(0, 1_000_000);
    private static final Set<String> NODE_TYPES = Set.of("KONG", "PARLEY");

    public VersionPolicySpec {
        services = Map.copyOf(services);
    }

    /** The rule that a resource of this name states. */
    public VersionPolicy policy(String name) {
        return new VersionPolicy(name, priority, match, services);
    }

    private static VersionPolicySpec read(Fields spec) {
        NodeSelector match = spec.at("match").object(VersionPolicySpec::match);
        Integer priority = spec.at("priority").integer(PRIORITY);
        Map<String, ServiceRule> services = new LinkedHashMap<>();
        spec.at("services").requireObjects(fields -> {
            String name = fields.at("name").requireText();
            ServiceRule rule = RuleReader.read(fields);
            if (!name.isEmpty() && services.putIfAbsent(name, rule) != null) {
                fields.fail("name", name + " again (expected: each service once)");
            }
            return name;
        });
        return new VersionPolicySpec(
                match == null ? NodeSelector.EVERY_NODE : match, priority == null ? 0 : priority, services);
    }

    private static NodeSelector match(Fields fields) {
        Set<String> tenants = Set.copyOf(fields.at("tenants").list(Field::requireText));
        Set<String> nodeTypes = Set.copyOf(
                fields.at("nodeTypes").list(item -> item.requireText("KONG or PARLEY", NODE_TYPES::contains)));
        Map<String, String> labels = fields.at("labels").texts();
        NodeVersionRange versions = fields.at("nodeVersions").object(VersionPolicySpec::range);
        return new NodeSelector(tenants, nodeTypes, labels, versions == null ? NodeVersionRange.ANY : versions);
    }

    private static NodeVersionRange range(Fields fields) {
        fields.needAnyOf("atLeast", "below");
        NodeVersion atLeast = version(fields, "atLeast");
        NodeVersion below = version(fields, "below");
        if (atLeast != null && below != null && atLeast.compareTo(below) >= 0) {
            fields.fail("below", below + " (expected: more than " + atLeast + ")");
        }
        return new NodeVersionRange(atLeast, below);
    }

    private static @Nullable NodeVersion version(Fields fields, String name) {
        String text = fields.at(name)
                .text(
                        "a version such as 2.6, 2.6.1 or 2.6.1-beta",
                        written -> NodeVersion.parse(written).isPresent());
        return text == null ? null : NodeVersion.parse(text).orElse(null);
    }
}
