package io.parley.resource.mesh;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a whole mesh.
 *
 * @param passthrough whether proxies let traffic to unknown destinations through
 * @param skipCreatingInitialPolicies policies that a new mesh does not get, {@code *} for none at all
 * @param meshServices null if the mesh does not say
 */
public record MeshSpec(
        @Nullable Mtls mtls,
        @Nullable Telemetry tracing,
        @Nullable Telemetry logging,
        @Nullable Telemetry metrics,
        boolean passthrough,
        Routing routing,
        @Nullable Membership membership,
        List<String> skipCreatingInitialPolicies,
        @Nullable MeshServicesMode meshServices) {
    public static final SpecReader<MeshSpec> READER = SpecReader.ofProtobuf(MeshSpec::read);

    /** How traffic finds its way between zones. */
    public record Routing(
            boolean localityAwareLoadBalancing, boolean zoneEgress, boolean defaultForbidMeshExternalServiceAccess) {}

    /** Which proxies may join: one of the requirements must fit, and no restriction. */
    public record Membership(List<Map<String, String>> requirements, List<Map<String, String>> restrictions) {}

    /** Whether services are resources of their own. */
    public enum MeshServicesMode {
        DISABLED,
        EVERYWHERE,
        REACHABLE_BACKENDS,
        EXCLUSIVE
    }

    private static final Choices<MeshServicesMode> MODES = Choices.camelCase(MeshServicesMode.class);

    public MeshSpec {
        skipCreatingInitialPolicies = List.copyOf(skipCreatingInitialPolicies);
    }

    private static MeshSpec read(Fields spec) {
        Routing routing = spec.at("routing")
                .object(fields -> new Routing(
                        fields.at("localityAwareLoadBalancing").flagOr(false),
                        fields.at("zoneEgress").flagOr(false),
                        fields.at("defaultForbidMeshExternalServiceAccess").flagOr(false)));
        Boolean passthrough = spec.at("networking").object(MeshSpec::passthrough);
        return new MeshSpec(
                spec.at("mtls").object(Mtls::read),
                spec.at("tracing").object(fields -> Telemetry.read(fields, Telemetry.TRACING)),
                spec.at("logging").object(fields -> Telemetry.read(fields, Telemetry.LOGGING)),
                spec.at("metrics").object(fields -> Telemetry.read(fields, Telemetry.METRICS)),
                passthrough == null || passthrough,
                routing == null ? new Routing(false, false, false) : routing,
                spec.at("constraints").object(MeshSpec::membership),
                spec.at("skipCreatingInitialPolicies").list(Field::requireText),
                spec.at("meshServices").object(fields -> fields.at("mode").requireChoice(MODES)));
    }

    private static Boolean passthrough(Fields networking) {
        Boolean value = networking
                .at("outbound")
                .object(outbound -> outbound.at("passthrough").flagOr(true));
        return value == null || value;
    }

    private static Membership membership(Fields constraints) {
        return constraints
                .at("dataplaneProxy")
                .requireObject(proxy -> new Membership(
                        proxy.at("requirements").objects(rule -> rule.at("tags").tags()),
                        proxy.at("restrictions").objects(rule -> rule.at("tags").tags())));
    }
}
