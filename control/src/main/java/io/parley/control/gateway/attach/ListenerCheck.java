package io.parley.control.gateway.attach;

import io.parley.agreement.backend.RouteKind;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import io.parley.control.gateway.model.World;
import io.parley.resource.gateway.AllowedRoutes;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.ListenerSpec;
import io.parley.resource.gateway.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out which of a Gateway's listeners can be there. */
final class ListenerCheck {
    private static final Verdict NO_CONFLICT = Verdict.good("NoConflicts", "no other listener is in its way");
    private static final Verdict RESOLVED = Verdict.good("ResolvedRefs", "all references are resolved");

    private static final int LAST_PORT = 65_535;

    private final World world;
    private final Declared<GatewaySpec> gateway;
    private final int portOffset;

    ListenerCheck(World world, Declared<GatewaySpec> gateway, int portOffset) {
        this.world = world;
        this.gateway = gateway;
        this.portOffset = portOffset;
    }

    List<CheckedListener> check() {
        return gateway.spec().listeners().stream().map(this::check).toList();
    }

    private CheckedListener check(ListenerSpec listener) {
        ListenerProtocol protocol = ListenerProtocol.parse(listener.protocol()).orElse(null);
        List<RouteKind> possible = protocol == null ? List.of() : protocol.routes();
        List<RouteKind> kinds = kinds(listener.allowed(), possible);
        Verdict conflict = conflict(listener);
        List<Name> certificates = new ArrayList<>();
        Verdict references = references(listener, protocol, possible, certificates);
        ClientCertificates clients = ClientCertificates.of(world, gateway, listener);
        return new CheckedListener(
                listener,
                protocol,
                kinds,
                clients.refusal().orElseGet(() -> accepted(listener, protocol, conflict)),
                conflict,
                references.good() && clients.trouble() != null ? clients.trouble() : references,
                certificates,
                clients.check());
    }

    private Verdict accepted(ListenerSpec listener, @Nullable ListenerProtocol protocol, Verdict conflict) {
        if (protocol == null) {
            return Verdict.bad(
                    "UnsupportedProtocol", listener.protocol() + " (expected: HTTP, HTTPS, TLS, TCP or UDP)");
        }
        ListenerSpec.Tls tls = listener.tls();
        if (protocol.isChosenByServerName() && tls == null) {
            return Verdict.bad("Invalid", "tls is missing (expected: it, for protocol " + protocol + ")");
        }
        if (protocol == ListenerProtocol.HTTPS && tls != null && tls.mode() == ListenerSpec.Mode.PASSTHROUGH) {
            return Verdict.bad("Invalid", "tls.mode Passthrough (expected: Terminate, for protocol HTTPS)");
        }
        if (listener.port() + portOffset > LAST_PORT) {
            return Verdict.bad(
                    "PortUnavailable",
                    "port " + listener.port() + " and portOffset " + portOffset + " (expected: together at most "
                            + LAST_PORT + ")");
        }
        return conflict.good()
                ? Verdict.good("Accepted", "the listener is valid")
                : Verdict.bad(conflict.reason(), conflict.message());
    }

    private Verdict conflict(ListenerSpec listener) {
        Optional<ListenerProtocol> own = ListenerProtocol.parse(listener.protocol());
        for (ListenerSpec other : gateway.spec().listeners()) {
            Optional<ListenerProtocol> theirs = ListenerProtocol.parse(other.protocol());
            if (other.name().equals(listener.name())
                    || own.isEmpty()
                    || theirs.isEmpty()
                    || other.port() != listener.port()
                    || own.get().transport() != theirs.get().transport()) {
                continue;
            }
            if (!own.get().sharesPortWith(theirs.get())) {
                return Verdict.bad(
                        "ProtocolConflict",
                        "listener " + other.name() + " wants " + other.protocol() + " on port " + other.port());
            }
            if (Objects.equals(listener.hostname(), other.hostname()) || !isToldApart(own.get())) {
                return Verdict.bad(
                        "HostnameConflict",
                        "listener " + other.name() + " wants the same host names on port " + other.port());
            }
        }
        return NO_CONFLICT;
    }

    private static boolean isToldApart(ListenerProtocol protocol) {
        return protocol != ListenerProtocol.TCP && protocol != ListenerProtocol.UDP;
    }

    private static List<RouteKind> kinds(AllowedRoutes allowed, List<RouteKind> possible) {
        return allowed.kinds().isEmpty()
                ? possible
                : possible.stream()
                        .filter(kind -> allowed.kinds()
                                .contains(new AllowedRoutes.RouteGroupKind(ObjectKinds.GROUP, kind.word())))
                        .toList();
    }

    private Verdict references(
            ListenerSpec listener,
            @Nullable ListenerProtocol protocol,
            List<RouteKind> possible,
            List<Name> certificates) {
        ListenerSpec.Tls tls = listener.tls();
        if (protocol != null
                && protocol.isChosenByServerName()
                && tls != null
                && tls.mode() == ListenerSpec.Mode.TERMINATE) {
            Verdict bad = null;
            for (ObjectRef ref : tls.certificates()) {
                Optional<Verdict> trouble = GatewayCheck.secret(world, gateway, ref, "InvalidCertificateRef");
                if (trouble.isEmpty()) {
                    certificates.add(GatewayCheck.name(gateway, ref));
                } else if (bad == null) {
                    bad = trouble.get();
                }
            }
            if (bad == null && tls.certificates().isEmpty()) {
                bad = Verdict.bad("InvalidCertificateRef", "tls.certificateRefs is empty (expected: a Secret)");
            }
            if (bad != null) {
                return bad;
            }
        }
        List<AllowedRoutes.RouteGroupKind> unknown = listener.allowed().kinds().stream()
                .filter(kind -> !kind.group().equals(ObjectKinds.GROUP)
                        || possible.stream().noneMatch(each -> each.word().equals(kind.kind())))
                .toList();
        return unknown.isEmpty()
                ? RESOLVED
                : Verdict.bad(
                        "InvalidRouteKinds",
                        unknown.getFirst().kind() + " (expected: " + possible + " for protocol " + listener.protocol()
                                + ")");
    }
}
