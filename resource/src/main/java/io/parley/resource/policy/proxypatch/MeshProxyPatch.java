package io.parley.resource.policy.proxypatch;

import static io.parley.resource.policy.TargetRefs.PROXIES;

import io.parley.resource.policy.ProxyPolicy;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;

/** Reads the spec of a MeshProxyPatch: a list of changes, made in its order. */
public final class MeshProxyPatch {
    public static final SpecReader<ProxyPolicy<List<Modification>>> READER = SpecReader.of(MeshProxyPatch::read);

    private MeshProxyPatch() {}

    private static ProxyPolicy<List<Modification>> read(Fields spec) {
        return new ProxyPolicy<>(
                TargetRefs.top(spec, PROXIES),
                spec.at("default")
                        .requireObject(conf -> conf.at("appendModifications").requireObjects(Modification::read)));
    }
}
