package io.parley.resource.policy.trace;

import static io.parley.resource.policy.TargetRefs.PROXIES;

import io.parley.resource.policy.ProxyPolicy;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;

/** Reads the spec of a MeshTrace. */
public final class MeshTrace {
    public static final SpecReader<ProxyPolicy<Tracing>> READER = SpecReader.of(MeshTrace::read);

    private MeshTrace() {}

    private static ProxyPolicy<Tracing> read(Fields spec) {
        return new ProxyPolicy<>(
                TargetRefs.top(spec, PROXIES), spec.at("default").requireObject(Tracing::read));
    }
}
