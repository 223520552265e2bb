package io.parley.resource.kind;

import io.parley.resource.backend.BackendProtocolSpec;
import io.parley.resource.version.VersionPolicySpec;
import java.util.List;

/** What only Parley has. */
final class ParleyKinds {
    private static final String VERSION = "parley.io/v1alpha1";

    static final List<Kind> ALL = List.of(
            Kind.named("BackendProtocol")
                    .description("The protocols that a Service's ports take, the preferred first")
                    // The second is the one that GEP-1911 proposed it under.
                    .apiVersions(VERSION, "gateway.networking.k8s.io/v1alpha1")
                    .words("bp")
                    .reader(BackendProtocolSpec.READER)
                    .scope(Scope.NAMESPACE)
                    .build(),
            Kind.named("VersionPolicy")
                    .description("Which service versions are preferred, deprecated or off, and for which data planes")
                    .apiVersions(VERSION)
                    .plural("versionpolicies")
                    .words("vp")
                    .reader(VersionPolicySpec.READER)
                    .scope(Scope.GLOBAL)
                    .sync(Sync.GLOBAL_TO_ZONE)
                    .build());

    private ParleyKinds() {}
}
