package io.parley.control.gateway.route;

import io.parley.agreement.backend.ServicePort;
import io.parley.control.gateway.model.DataName;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.Texts;
import io.parley.control.gateway.model.World;
import io.parley.identity.certificate.Pem;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.ObjectRef;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which BackendTLSPolicy holds for a port, and whether it can be kept. */
public final class TlsPolicies {
    /** One for this port before one for all ports; then the older; then by name. */
    private static final Comparator<Declared<BackendTlsPolicySpec>> AGE =
            Comparator.comparing(Declared<BackendTlsPolicySpec>::created).thenComparing(Declared::name);

    private TlsPolicies() {}

    /** What a reference to an authority leads to. */
    public sealed interface Authority {
        /** Certificates, as PEM. */
        record Found(String pem) implements Authority {}

        /** A kind that holds no authorities. */
        record BadKind(String message) implements Authority {}

        /** Nothing that could be used. */
        record Missing(String message) implements Authority {}
    }

    public static Optional<Declared<BackendTlsPolicySpec>> of(World world, Name service, ServicePort port) {
        List<Declared<BackendTlsPolicySpec>> all = world.policiesIn(service.namespace());
        Optional<Declared<BackendTlsPolicySpec>> own = all.stream()
                .filter(policy -> targets(policy, service, port.name()))
                .filter(_ -> !port.name().isEmpty())
                .min(AGE);
        return own.isPresent()
                ? own
                : all.stream().filter(policy -> targets(policy, service, "")).min(AGE);
    }

    /** The one that holds where this one wanted to, if that is another. */
    public static Optional<Name> winnerOver(World world, Declared<BackendTlsPolicySpec> policy) {
        for (BackendTlsPolicySpec.Target target : policy.spec().targets()) {
            String section = target.sectionName() == null ? "" : target.sectionName();
            Name service = new Name(policy.key().space(), target.ref().name());
            Optional<Name> oldest = world.policiesIn(service.namespace()).stream()
                    .filter(each -> targets(each, service, section))
                    .min(AGE)
                    .map(Declared::name);
            if (oldest.isPresent() && !oldest.get().equals(policy.name())) {
                return oldest;
            }
        }
        return Optional.empty();
    }

    private static boolean targets(Declared<BackendTlsPolicySpec> policy, Name service, String section) {
        return policy.spec().targets().stream()
                .anyMatch(target -> target.ref().is("", "Service")
                        && target.ref().name().equals(service.name())
                        && (target.sectionName() == null ? "" : target.sectionName()).equals(section));
    }

    /** The settings, if every authority that it names can be used. */
    public static Optional<TlsSettings> settings(World world, Declared<BackendTlsPolicySpec> policy) {
        StringBuilder authorities = new StringBuilder();
        for (ObjectRef ref : policy.spec().authorities()) {
            if (authority(world, policy.key().space(), ref) instanceof Authority.Found(String pem)) {
                authorities.append(pem.strip()).append('\n');
            }
        }
        return authorities.isEmpty() && !policy.spec().systemAuthorities()
                ? Optional.empty()
                : Optional.of(new TlsSettings(
                        policy.name(),
                        policy.spec().hostname(),
                        authorities.toString(),
                        policy.spec().names()));
    }

    public static Authority authority(World world, String namespace, ObjectRef ref) {
        DataName.Type type;
        if (ref.is("", "ConfigMap")) {
            type = DataName.Type.CONFIG_MAP;
        } else if (ref.is("", "Secret")) {
            type = DataName.Type.SECRET;
        } else {
            return new Authority.BadKind(ref + " (expected: a ConfigMap or Secret)");
        }
        DataName name = new DataName(type, new Name(namespace, ref.name()));
        String pem = world.data().find(name).map(texts -> texts.text("ca.crt")).orElse("");
        return isCertificate(pem)
                ? new Authority.Found(pem)
                : new Authority.Missing(
                        name + (world.data().contains(name) ? " has no certificate in ca.crt" : " does not exist"));
    }

    private static boolean isCertificate(String pem) {
        try {
            return !Pem.certificates(pem).isEmpty();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Whether a Secret holds a certificate and its key. */
    public static boolean isKeyPair(Texts texts) {
        return KeyPairs.isPair(texts.text("tls.crt"), texts.text("tls.key"));
    }
}
