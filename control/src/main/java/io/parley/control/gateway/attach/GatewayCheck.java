package io.parley.control.gateway.attach;

import io.parley.control.gateway.model.DataName;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import io.parley.control.gateway.model.Texts;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.TlsPolicies;
import io.parley.resource.gateway.GatewayClassSpec;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.ObjectRef;
import io.parley.resource.gateway.ReferenceGrantSpec;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out what of a Gateway can be there. Pure. */
public final class GatewayCheck {
    private static final String IP_ADDRESS = "IPAddress";

    private final World world;
    private final Placement usual;

    public GatewayCheck(World world, Placement usual) {
        this.world = world;
        this.usual = usual;
    }

    public CheckedGateway check(Declared<GatewaySpec> gateway, Declared<GatewayClassSpec> ofClass) {
        Optional<Placement> placement = placement(gateway, ofClass);
        int offset = placement.orElse(usual).portOffset();
        List<CheckedListener> listeners = new ListenerCheck(world, gateway, offset).check();
        List<GatewaySpec.Address> addresses = addresses(gateway.spec(), placement.orElse(usual));
        ObjectRef shown = gateway.spec().backendCertificate();
        Verdict references = backendCertificate(gateway, shown);
        return new CheckedGateway(
                gateway,
                listeners,
                accepted(gateway.spec(), listeners, placement.isPresent()),
                placement.isPresent() ? addresses : List.of(),
                placement.orElse(usual),
                shown == null || !references.good() ? null : name(gateway, shown),
                references);
    }

    private static Verdict accepted(GatewaySpec spec, List<CheckedListener> listeners, boolean hasPlacement) {
        if (!hasPlacement) {
            return Verdict.bad(
                    "InvalidParameters",
                    "parametersRef (expected: a ConfigMap with address and portOffset, in the Gateway's namespace)");
        }
        Optional<GatewaySpec.Address> unsupported =
                spec.addresses().stream().filter(each -> !isSupported(each)).findFirst();
        if (unsupported.isPresent()) {
            return Verdict.bad(
                    "UnsupportedAddress",
                    unsupported.get().type() + " " + unsupported.get().value()
                            + " (expected: type IPAddress with an IP address as value)");
        }
        long served = listeners.stream().filter(CheckedListener::isServed).count();
        if (served == listeners.size()) {
            return Verdict.good("Accepted", "all " + served + " listeners are valid");
        }
        return new Verdict(
                served > 0, "ListenersNotValid", served + " of " + listeners.size() + " listeners are valid");
    }

    /** Those that are IP addresses; an empty value asks for any. */
    private static List<GatewaySpec.Address> addresses(GatewaySpec spec, Placement placement) {
        String type = Addresses.isIp(placement.shown()) ? IP_ADDRESS : "Hostname";
        GatewaySpec.Address given = new GatewaySpec.Address(type, placement.shown());
        if (spec.addresses().isEmpty()) {
            return List.of(given);
        }
        return spec.addresses().stream()
                .filter(GatewayCheck::isSupported)
                .map(address -> address.value().isEmpty() ? given : address)
                .distinct()
                .toList();
    }

    private static boolean isSupported(GatewaySpec.Address address) {
        return address.type().equals(IP_ADDRESS) && (address.value().isEmpty() || Addresses.isIp(address.value()));
    }

    /** Whether Gateways of a class can be made as its parameters say; those in each Gateway's own namespace are looked at there. */
    public static Verdict parametersOf(World world, Declared<GatewayClassSpec> ofClass) {
        ObjectRef ref = ofClass.spec().parameters();
        boolean bad = ref != null
                && (ref.namespace() == null
                        ? !ref.is("", "ConfigMap")
                        : parameters(world, ref, ref.namespace()) == null);
        return bad
                ? Verdict.bad("InvalidParameters", ref + " (expected: a ConfigMap with address and portOffset)")
                : Verdict.good("Accepted", "gateways of this class are served");
    }

    /** Nothing if it is told by something that is not there or cannot be understood. */
    private Optional<Placement> placement(Declared<GatewaySpec> gateway, Declared<GatewayClassSpec> ofClass) {
        Placement placement = usual;
        ObjectRef own = gateway.spec().parameters();
        for (ObjectRef ref : new ObjectRef[] {ofClass.spec().parameters(), own}) {
            if (ref != null) {
                String namespace = ref.namespace() == null ? gateway.key().space() : ref.namespace();
                Texts parameters = parameters(world, ref, namespace);
                if (parameters == null) {
                    return Optional.empty();
                }
                placement = placement.with(parameters);
            }
        }
        return Optional.of(placement);
    }

    private static @Nullable Texts parameters(World world, ObjectRef ref, String namespace) {
        return ref.is("", "ConfigMap")
                ? world.data()
                        .find(new DataName(DataName.Type.CONFIG_MAP, new Name(namespace, ref.name())))
                        .filter(Placement::isReadable)
                        .orElse(null)
                : null;
    }

    private Verdict backendCertificate(Declared<GatewaySpec> gateway, @Nullable ObjectRef ref) {
        if (ref == null) {
            return Verdict.good("ResolvedRefs", "all references are resolved");
        }
        return secret(world, gateway, ref, "InvalidClientCertificateRef")
                .orElseGet(() -> Verdict.good("ResolvedRefs", "all references are resolved"));
    }

    static Name name(Declared<GatewaySpec> gateway, ObjectRef ref) {
        return new Name(ref.namespace() == null ? gateway.key().space() : ref.namespace(), ref.name());
    }

    /** Nothing if the Gateway may refer to it: it is in its own namespace, or a grant says so. */
    static Optional<Verdict> notPermitted(World world, Declared<GatewaySpec> gateway, ObjectRef ref) {
        Name name = name(gateway, ref);
        var who = new ReferenceGrantSpec.From(
                ObjectKinds.GROUP, "Gateway", gateway.key().space());
        return world.permits(who, name.namespace(), ref)
                ? Optional.empty()
                : Optional.of(Verdict.bad(
                        "RefNotPermitted",
                        ref.kind() + "/" + name + " is in another namespace (expected: a ReferenceGrant there for"
                                + " Gateway from " + who.namespace() + ")"));
    }

    /** What is wrong with a reference to a certificate and its key. */
    static Optional<Verdict> secret(World world, Declared<GatewaySpec> gateway, ObjectRef ref, String reason) {
        if (!ref.is("", "Secret")) {
            return Optional.of(Verdict.bad(reason, ref + " (expected: a Secret)"));
        }
        Optional<Verdict> notPermitted = notPermitted(world, gateway, ref);
        if (notPermitted.isPresent()) {
            return notPermitted;
        }
        Name name = name(gateway, ref);
        Optional<Texts> texts = world.data().find(new DataName(DataName.Type.SECRET, name));
        if (texts.isEmpty()) {
            return Optional.of(Verdict.bad(reason, "Secret/" + name + " does not exist"));
        }
        return TlsPolicies.isKeyPair(texts.get())
                ? Optional.empty()
                : Optional.of(Verdict.bad(
                        reason,
                        "Secret/" + name
                                + " has no certificate with its own key (expected: PEM in tls.crt and tls.key)"));
    }
}
