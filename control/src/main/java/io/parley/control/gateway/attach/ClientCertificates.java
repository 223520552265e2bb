package io.parley.control.gateway.attach;

import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.TlsPolicies;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.GatewaySpec.ClientValidation;
import io.parley.resource.gateway.ListenerSpec;
import io.parley.resource.gateway.ObjectRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the certificates of a listener's clients are checked, and the first thing that is wrong with that.
 *
 * @param check null if they are not, be it that nobody asked for it or that it cannot be done
 * @param trouble null if every authority that was named can be used
 */
record ClientCertificates(
        CheckedListener.@Nullable ClientCheck check,
        @Nullable Verdict trouble) {
    private static final ClientCertificates UNCHECKED = new ClientCertificates(null, null);

    static ClientCertificates of(World world, Declared<GatewaySpec> gateway, ListenerSpec listener) {
        Optional<ClientValidation> asked = gateway.spec().validationOn(listener.port());
        if (asked.isEmpty() || ListenerProtocol.parse(listener.protocol()).orElse(null) != ListenerProtocol.HTTPS) {
            return UNCHECKED;
        }
        StringBuilder authorities = new StringBuilder();
        Verdict trouble = null;
        for (ObjectRef ref : asked.get().authorities()) {
            switch (authority(world, gateway, ref)) {
                case Found(String pem) -> authorities.append(pem.strip()).append('\n');
                case Unusable(Verdict because) -> trouble = trouble == null ? because : trouble;
            }
        }
        return new ClientCertificates(
                authorities.isEmpty()
                        ? null
                        : new CheckedListener.ClientCheck(
                                authorities.toString(), !asked.get().insecureFallback()),
                trouble);
    }

    /** Whoever should be checked and cannot be is not let in, so the listener is not there. */
    Optional<Verdict> refusal() {
        return check == null && trouble != null
                ? Optional.of(Verdict.bad("NoValidCACertificate", trouble.message()))
                : Optional.empty();
    }

    private sealed interface Authority {}

    private record Found(String pem) implements Authority {}

    private record Unusable(Verdict because) implements Authority {}

    private static Authority authority(World world, Declared<GatewaySpec> gateway, ObjectRef ref) {
        Optional<Verdict> notPermitted = GatewayCheck.notPermitted(world, gateway, ref);
        if (notPermitted.isPresent()) {
            return new Unusable(notPermitted.get());
        }
        String namespace = GatewayCheck.name(gateway, ref).namespace();
        return switch (TlsPolicies.authority(world, namespace, ref)) {
            case TlsPolicies.Authority.Found(String pem) -> new Found(pem);
            case TlsPolicies.Authority.BadKind(String message) ->
                new Unusable(Verdict.bad("InvalidCACertificateKind", message));
            case TlsPolicies.Authority.Missing(String message) ->
                new Unusable(Verdict.bad("InvalidCACertificateRef", message));
        };
    }
}
