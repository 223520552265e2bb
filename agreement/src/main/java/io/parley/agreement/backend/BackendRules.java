package io.parley.agreement.backend;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a gateway speaks to a backend. In this order: the Service must have the port for the route's transport; a
 * BackendProtocol list; the Service port's {@code appProtocol}; that of the EndpointSlices; what the kind of route implies.
 */
public final class BackendRules {
    private final RouteKind route;
    private final Backend backend;
    private final List<String> remarks = new ArrayList<>();

    private BackendRules(RouteKind route, Backend backend) {
        this.route = route;
        this.backend = backend;
    }

    public static Decision<Resolution> resolve(RouteKind route, Backend backend) {
        return new BackendRules(route, backend).resolve();
    }

    private Decision<Resolution> resolve() {
        Optional<ServicePort> entry = backend.entries().stream()
                .filter(each -> each.transport() == route.transport())
                .findFirst();
        if (entry.isEmpty()) {
            return otherTransport();
        }
        String declared = entry.get().appProtocol();
        noteDisagreement(declared);
        ProtocolList list = backend.list();
        if (list != null) {
            return listed(list);
        }
        if (declared != null) {
            return declared(
                    declared, new Source(service(), "spec.ports[" + backend.port() + "].appProtocol", "appProtocol"));
        }
        return bySlices();
    }

    private Decision<Resolution> otherTransport() {
        Set<Transport> found = new TreeSet<>();
        backend.entries().forEach(entry -> found.add(entry.transport()));
        String names = String.join(", ", found.stream().map(Enum::name).toList());
        return unsupported(
                "protocol " + names,
                "protocol " + route.transport(),
                "has " + names + " only, and " + route.withArticle() + " carries " + route.transport(),
                new Source(service(), "spec.ports[" + backend.port() + "].protocol", "transport"));
    }

    private Decision<Resolution> listed(ProtocolList list) {
        Source source = new Source(list.resource(), "spec.ports[" + backend.port() + "]", "BackendProtocol list");
        List<BackendProtocol> spoken = new ArrayList<>();
        for (AppProtocol each : list.protocols()) {
            Matrix.spoken(route, each, isTls())
                    .filter(found -> !spoken.contains(found))
                    .ifPresent(spoken::add);
        }
        if (spoken.isEmpty()) {
            return unsupported(
                    list.protocols().toString(),
                    Matrix.allowed(route),
                    "is listed with protocols none of which " + route.withArticle() + " can speak" + withoutTls(),
                    source);
        }
        return new Decision<>(
                new Resolution.Speak(spoken, remarks),
                list.resource() + " lists " + spoken + " for " + backend + withTls(),
                source);
    }

    private Decision<Resolution> declared(String value, Source source) {
        Optional<AppProtocol> known = AppProtocol.parse(value);
        if (known.isEmpty() && !AppProtocol.isReserved(value)) {
            remarks.add("appProtocol " + value + " of " + backend + " is not known here and says nothing (expected: "
                    + Matrix.allowed(route) + ")");
            return implied("appProtocol " + value + " is not known here");
        }
        Optional<BackendProtocol> spoken = known.flatMap(found -> Matrix.spoken(route, found, isTls()));
        if (spoken.isEmpty()) {
            return unsupported(
                    "appProtocol " + value,
                    Matrix.allowed(route),
                    "has appProtocol " + value + ", which " + route.withArticle() + " cannot speak" + withoutTls(),
                    source);
        }
        Matrix.doubt(route, known.orElseThrow(), isTls())
                .ifPresent(doubt -> remarks.add("appProtocol " + value + " of " + backend + ": " + doubt));
        return new Decision<>(
                new Resolution.Speak(List.of(spoken.get()), remarks),
                "appProtocol of " + backend + " is " + value + withTls(),
                source);
    }

    /** Case 23: one protocol for all endpoints, so slices that differ say nothing. */
    private Decision<Resolution> bySlices() {
        List<SlicePort> saying = backend.slices().stream()
                .filter(slice -> slice.appProtocol() != null)
                .toList();
        List<String> values = saying.stream()
                .map(SlicePort::appProtocol)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (values.size() == 1 && saying.size() == backend.slices().size()) {
            return declared(
                    values.getFirst(),
                    new Source(
                            "EndpointSlice/" + saying.getFirst().slice(),
                            "ports[].appProtocol",
                            "slice's appProtocol"));
        }
        if (!values.isEmpty()) {
            remarks.add("EndpointSlices of " + backend + " differ in appProtocol (" + String.join(", ", values)
                    + (saying.size() < backend.slices().size() ? ", none" : "")
                    + "); set it on the Service's port");
            return implied("the EndpointSlices differ in appProtocol");
        }
        return implied("nothing is declared for " + backend);
    }

    private Decision<Resolution> implied(String cause) {
        BackendProtocol spoken =
                Matrix.spoken(route, AppProtocol.STREAM, isTls()).orElseThrow();
        return new Decision<>(
                new Resolution.Speak(List.of(spoken), remarks),
                cause + ", so " + route.withArticle() + " speaks " + spoken + withTls(),
                Source.ofRule("implied by " + route));
    }

    /** Case 22: the Service's word counts. */
    private void noteDisagreement(@Nullable String declared) {
        for (SlicePort slice : backend.slices()) {
            String other = slice.appProtocol();
            if (declared != null && other != null && !declared.equalsIgnoreCase(other)) {
                remarks.add("EndpointSlice/" + slice.slice() + " says appProtocol " + other + " for " + backend
                        + ", the Service says " + declared + ", which counts");
            }
        }
    }

    private Decision<Resolution> unsupported(String found, String allowed, String trouble, Source source) {
        return new Decision<>(
                new Resolution.Unsupported(found, allowed),
                backend + " " + trouble + " (expected: " + allowed + ")",
                source);
    }

    private boolean isTls() {
        return backend.tlsPolicy() != null;
    }

    private String withTls() {
        return isTls() && route.transport() == Transport.TCP && route != RouteKind.TCP && route != RouteKind.TLS
                ? ", in TLS by " + backend.tlsPolicy()
                : "";
    }

    private String withoutTls() {
        return isTls() ? "" : " without a BackendTLSPolicy";
    }

    private String service() {
        return "Service/" + backend.service();
    }
}
