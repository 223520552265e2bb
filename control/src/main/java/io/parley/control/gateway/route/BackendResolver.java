package io.parley.control.gateway.route;

import io.parley.agreement.backend.AppProtocol;
import io.parley.agreement.backend.Backend;
import io.parley.agreement.backend.BackendRules;
import io.parley.agreement.backend.ProtocolList;
import io.parley.agreement.backend.Resolution;
import io.parley.agreement.backend.ServicePort;
import io.parley.agreement.backend.SlicePort;
import io.parley.agreement.backend.Transport;
import io.parley.agreement.reason.Decision;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.control.model.Tree;
import io.parley.resource.backend.BackendProtocolSpec;
import io.parley.resource.backend.PortProtocol;
import io.parley.resource.core.EndpointSliceSpec;
import io.parley.resource.core.ServiceSpec;
import io.parley.resource.gateway.BackendRef;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.ObjectRef;
import io.parley.resource.gateway.ReferenceGrantSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows a route's reference to a backend. */
public final class BackendResolver {
    private final World world;

    public BackendResolver(World world) {
        this.world = world;
    }

    public Reached reach(RouteName route, BackendRef ref) {
        ObjectRef target = ref.target();
        Integer port = ref.port();
        if (!target.is("", "Service") || port == null) {
            return broken(BrokenReason.INVALID_KIND, target + " (expected: a Service)");
        }
        Name service = service(route, ref);
        var who = new ReferenceGrantSpec.From(
                ObjectKinds.GROUP, route.kind().word(), route.name().namespace());
        if (!world.permits(who, service.namespace(), target)) {
            return broken(
                    BrokenReason.REF_NOT_PERMITTED,
                    "Service/" + service + " is in another namespace (expected: a ReferenceGrant there for "
                            + route.kind() + " from " + who.namespace() + ")");
        }
        List<ServicePort> entries = entries(service, port);
        if (entries.isEmpty()) {
            return broken(BrokenReason.BACKEND_NOT_FOUND, missing(service, port));
        }
        return agree(route, service, port, entries);
    }

    public static Name service(RouteName route, BackendRef ref) {
        String namespace = ref.target().namespace();
        return new Name(
                namespace == null ? route.name().namespace() : namespace,
                ref.target().name());
    }

    private String missing(Name service, int port) {
        Optional<ServiceSpec> found = world.services().find(service);
        if (found.isEmpty()) {
            return "Service/" + service + " does not exist";
        }
        return found.get().external()
                ? "Service/" + service + " is an ExternalName (expected: one with endpoints)"
                : "Service/" + service + " has no port " + port;
    }

    /** None if there is no such Service or port; ExternalNames have no ports that anybody could be sent to. */
    private List<ServicePort> entries(Name service, int port) {
        return world
                .services()
                .find(service)
                .filter(spec -> !spec.external())
                .map(ServiceSpec::ports)
                .orElse(List.of())
                .stream()
                .filter(entry -> entry.number() == port)
                .map(entry -> new ServicePort(
                        entry.name(),
                        entry.number(),
                        Transport.valueOf(entry.transport().name()),
                        entry.appProtocol()))
                .toList();
    }

    private Reached agree(RouteName route, Name service, int port, List<ServicePort> entries) {
        ServicePort entry = entries.stream()
                .filter(each -> each.transport() == route.kind().transport())
                .findFirst()
                .orElse(entries.getFirst());
        Optional<Declared<BackendTlsPolicySpec>> policy = TlsPolicies.of(world, service, entry);
        Decision<Resolution> decision =
                BackendRules.resolve(route.kind(), backend(service, port, entries, entry, policy.orElse(null)));
        return switch (decision.value()) {
            case Resolution.Unsupported _ -> broken(BrokenReason.UNSUPPORTED_PROTOCOL, decision.because());
            case Resolution.Speak speak -> {
                boolean secured = policy.isPresent() && isSecured(speak);
                Optional<TlsSettings> settings = policy.flatMap(found -> TlsPolicies.settings(world, found));
                yield secured && settings.isEmpty()
                        ? broken(
                                BrokenReason.INVALID_POLICY,
                                "BackendTLSPolicy/" + policy.get().name() + " for Service/" + service
                                        + " is not valid (its status says why)")
                        : new Reached.Usable(
                                new Target(
                                        service,
                                        port,
                                        entry.name(),
                                        speak.protocols(),
                                        secured ? settings.orElseThrow() : null),
                                decision);
            }
        };
    }

    private static boolean isSecured(Resolution.Speak speak) {
        return switch (speak.preferred()) {
            case HTTP1_TLS, H2, NEGOTIATED -> true;
            case HTTP1, H2C, WEBSOCKET, TCP, UDP -> false;
        };
    }

    private Backend backend(
            Name service,
            int port,
            List<ServicePort> entries,
            ServicePort entry,
            @Nullable Declared<BackendTlsPolicySpec> policy) {
        return new Backend(
                service.toString(),
                port,
                entries,
                slices(service, entry),
                policy == null ? null : "BackendTLSPolicy/" + policy.name(),
                list(service, entry));
    }

    /** Joined by the port's name: the order of a slice's ports is its own (case 24). */
    private List<SlicePort> slices(Name service, ServicePort entry) {
        List<SlicePort> found = new ArrayList<>();
        Tree<String, EndpointSliceSpec> slices = world.slices().find(service).orElse(Tree.empty());
        slices.forEach((name, slice) -> slice.ports().stream()
                .filter(port -> port.name().equals(entry.name()))
                .filter(port -> port.transport().name().equals(entry.transport().name()))
                .forEach(port -> found.add(new SlicePort(service.namespace() + "/" + name, port.appProtocol()))));
        return found;
    }

    private @Nullable ProtocolList list(Name service, ServicePort entry) {
        Tree<String, BackendProtocolSpec> all =
                world.protocols().find(service.namespace()).orElse(Tree.empty());
        List<ProtocolList> found = new ArrayList<>();
        all.forEach((name, spec) -> {
            List<AppProtocol> protocols = spec.service().equals(service.name()) ? listed(spec, entry) : List.of();
            if (!protocols.isEmpty()) {
                found.add(new ProtocolList("BackendProtocol/" + service.namespace() + "/" + name, protocols));
            }
        });
        return found.isEmpty() ? null : found.getFirst();
    }

    private static List<AppProtocol> listed(BackendProtocolSpec spec, ServicePort entry) {
        return spec.ports().stream()
                .filter(each -> switch (each.port()) {
                    case PortProtocol.ByNumber(int number) -> number == entry.number();
                    case PortProtocol.ByName(String name) -> name.equals(entry.name());
                })
                .map(each -> switch (each.protocol()) {
                    case HTTP1 -> AppProtocol.HTTP1;
                    case H2C -> AppProtocol.H2C;
                    case H2 -> AppProtocol.H2;
                    case GRPC -> AppProtocol.GRPC;
                    case WEBSOCKET -> AppProtocol.WEBSOCKET;
                })
                .toList();
    }

    private static Reached broken(BrokenReason reason, String message) {
        return new Reached.Broken(reason, message);
    }
}
