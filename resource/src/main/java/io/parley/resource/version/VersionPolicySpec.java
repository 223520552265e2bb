package io.parley.resource.version;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of services the control plane agrees to with some data planes.
 *
 * @param match the data planes
 * @param priority of several policies for a data plane, the one with the highest says what holds for a service
 */
public record VersionPolicySpec(Match match, int priority, List<ServiceVersions> services) {
    public static final SpecReader<VersionPolicySpec> READER = SpecReader.of(VersionPolicySpec::read);

    /**
     * Picks data planes; all that is given must fit, and nothing given fits all.
     *
     * @param tenants empty for all
     * @param nodeTypes as negotiated, {@code KONG} or {@code PARLEY}; empty for all
     * @param labels that the node must carry
     * @param nodeVersions null for all
     */
    public record Match(
            Set<String> tenants,
            Set<String> nodeTypes,
            Map<String, String> labels,
            @Nullable NodeVersionRange nodeVersions) {
        /** Every data plane. */
        public static final Match ALL = new Match(Set.of(), Set.of(), Map.of(), null);

        public Match {
            tenants = Set.copyOf(tenants);
            nodeTypes = Set.copyOf(nodeTypes);
            labels = Map.copyOf(labels);
        }
    }

    private static final IntRange PRIORITY = new IntRange(0, 1_000_000);
    private static final Set<String> NODE_TYPES = Set.of("KONG", "PARLEY");

    public VersionPolicySpec {
        services = List.copyOf(services);
    }

    private static VersionPolicySpec read(Fields spec) {
        Match match = spec.at("match").object(VersionPolicySpec::match);
        Integer priority = spec.at("priority").integer(PRIORITY);
        Set<String> names = new HashSet<>();
        List<ServiceVersions> services = spec.at("services").requireObjects(fields -> {
            ServiceVersions service = ServiceVersions.read(fields);
            if (!service.name().isEmpty() && !names.add(service.name())) {
                fields.fail("name", service.name() + " again (expected: each service once)");
            }
            return service;
        });
        return new VersionPolicySpec(match == null ? Match.ALL : match, priority == null ? 0 : priority, services);
    }

    private static Match match(Fields fields) {
        return new Match(
                Set.copyOf(fields.at("tenants").list(Field::requireText)),
                Set.copyOf(
                        fields.at("nodeTypes").list(item -> item.requireText("KONG or PARLEY", NODE_TYPES::contains))),
                fields.at("labels").texts(),
                fields.at("nodeVersions").object(NodeVersionRange::read));
    }
}
