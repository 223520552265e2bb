package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;

/** What stands outside the mesh, as endpoints. */
final class ExternalEndpoints {
    private ExternalEndpoints() {}

    static Endpoint of(ExternalService external) {
        String resource = "ExternalService/" + external.name();
        String declared = external.tags().get(Names.PROTOCOL);
        Decision<Protocol> protocol = declared == null
                ? OpaquePorts.usual(external.port()).orElseGet(() -> OpaquePorts.detected(resource))
                : new Decision<>(
                        Protocol.ofTag(declared),
                        resource + " declares " + declared,
                        new Source(resource, "tags[\"" + Names.PROTOCOL + "\"]", "declared protocol"));
        return new Endpoint(
                "external/" + external.name(),
                external.host(),
                external.port(),
                external.tags(),
                true,
                external.tags().get(Names.ZONE),
                1,
                protocol,
                Endpoint.Kind.EXTERNAL,
                null,
                null);
    }
}
