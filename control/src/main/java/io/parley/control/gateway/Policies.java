package io.parley.control.gateway;

import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.model.DataName;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.TlsPolicies;
import io.parley.control.gateway.status.PolicyStatus;
import io.parley.control.model.Tree;
import io.parley.resource.ResourceKey;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is to be said of BackendTLSPolicies. */
final class Policies {
    private Policies() {}

    static ResourceKey key(Name name) {
        return new ResourceKey(ObjectKinds.POLICY, name.namespace(), name.name());
    }

    /** Those that name a Secret or ConfigMap as an authority. */
    static Stream<Declared<BackendTlsPolicySpec>> naming(World world, DataName data) {
        return world.policiesIn(data.name().namespace()).stream()
                .filter(policy -> policy.spec().authorities().stream()
                        .anyMatch(ref -> ref.name().equals(data.name().name())));
    }

    static Stream<Name> services(Declared<BackendTlsPolicySpec> policy) {
        return policy.spec().targets().stream()
                .map(target -> new Name(policy.key().space(), target.ref().name()));
    }

    static boolean isFor(Declared<BackendTlsPolicySpec> policy, Name service) {
        return services(policy).anyMatch(service::equals);
    }

    /** Those that are for one of these Services. */
    static Set<Name> of(World world, Collection<Name> services) {
        Set<Name> found = new LinkedHashSet<>();
        for (Name service : services) {
            world.policiesIn(service.namespace()).stream()
                    .filter(policy -> isFor(policy, service))
                    .forEach(policy -> found.add(policy.name()));
        }
        return found;
    }

    static Optional<PolicyStatus> status(World world, Name name, Function<Name, Set<Name>> gatewaysTo) {
        return world.policies()
                .find(name.namespace())
                .or(() -> Optional.of(Tree.empty()))
                .flatMap(all -> all.find(name.name()))
                .map(policy -> {
                    Set<Name> gateways = new TreeSet<>();
                    services(policy).forEach(service -> gateways.addAll(gatewaysTo.apply(service)));
                    Verdict references = references(world, policy);
                    return new PolicyStatus(
                            policy.generation(),
                            List.copyOf(gateways),
                            accepted(world, policy, references),
                            references);
                });
    }

    private static Verdict accepted(World world, Declared<BackendTlsPolicySpec> policy, Verdict references) {
        Optional<Name> winner = TlsPolicies.winnerOver(world, policy);
        if (winner.isPresent()) {
            return Verdict.bad("Conflicted", "BackendTLSPolicy/" + winner.get() + " is older and for the same");
        }
        if (policy.spec().targets().stream().noneMatch(target -> isThere(world, policy, target))) {
            return Verdict.bad(
                    "TargetNotFound",
                    policy.spec().targets().getFirst()
                            + " (expected: a Service of its namespace, and one of its ports)");
        }
        if (TlsPolicies.settings(world, policy).isEmpty()) {
            return Verdict.bad("NoValidCACertificate", references.message());
        }
        return Verdict.good("Accepted", "TLS is spoken as it says");
    }

    private static boolean isThere(World world, Declared<BackendTlsPolicySpec> policy, BackendTlsPolicySpec.Target to) {
        return to.ref().is("", "Service")
                && world.services()
                        .find(new Name(policy.key().space(), to.ref().name()))
                        .filter(service -> to.sectionName() == null
                                || service.ports().stream()
                                        .anyMatch(port -> port.name().equals(to.sectionName())))
                        .isPresent();
    }

    private static Verdict references(World world, Declared<BackendTlsPolicySpec> policy) {
        List<Verdict> trouble = new ArrayList<>();
        for (ObjectRef ref : policy.spec().authorities()) {
            switch (TlsPolicies.authority(world, policy.key().space(), ref)) {
                case TlsPolicies.Authority.Found _ -> {}
                case TlsPolicies.Authority.BadKind(String message) -> trouble.add(Verdict.bad("InvalidKind", message));
                case TlsPolicies.Authority.Missing(String message) ->
                    trouble.add(Verdict.bad("InvalidCACertificateRef", message));
            }
        }
        return trouble.isEmpty() ? Verdict.good("ResolvedRefs", "all references are resolved") : trouble.getFirst();
    }
}
