package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.backend.RouteKind;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.CheckedListener;
import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.model.ObjectKinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Of a Gateway.
 *
 * @param attached how many routes each listener has
 * @param joined whether a proxy has taken it up
 */
public record GatewayStatus(CheckedGateway gateway, List<Integer> attached, boolean joined) implements Status {
    public GatewayStatus {
        attached = List.copyOf(attached);
    }

    @Override
    public ObjectNode after(ObjectNode earlier, Instant now) {
        long generation = gateway.gateway().generation();
        ObjectNode status = Conditions.object();
        ArrayNode addresses = status.putArray("addresses");
        gateway.addresses()
                .forEach(address ->
                        addresses.addObject().put("type", address.type()).put("value", address.value()));
        status.set("conditions", Conditions.write(conditions(), generation, earlier.path("conditions"), now));
        ArrayNode listeners = status.putArray("listeners");
        for (int at = 0; at < gateway.listeners().size(); at++) {
            CheckedListener listener = gateway.listeners().get(at);
            String name = listener.spec().name();
            JsonNode before = Conditions.find(
                    earlier.path("listeners"),
                    each -> each.path("name").asText().equals(name));
            ObjectNode entry = listeners.addObject().put("name", name);
            ArrayNode kinds = entry.putArray("supportedKinds");
            for (RouteKind kind : listener.kinds()) {
                kinds.addObject().put("group", ObjectKinds.GROUP).put("kind", kind.word());
            }
            entry.put("attachedRoutes", attached.get(at));
            entry.set("conditions", Conditions.write(conditions(listener), generation, before.path("conditions"), now));
        }
        return status;
    }

    private List<Condition> conditions() {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(Condition.of("Accepted", gateway.accepted()));
        conditions.add(Condition.of("Programmed", programmed()));
        if (gateway.gateway().spec().backendCertificate() != null) {
            conditions.add(Condition.of("ResolvedRefs", gateway.references()));
        }
        if (gateway.gateway().spec().isInsecureFallbackAllowed()) {
            conditions.add(new Condition(
                    "InsecureFrontendValidationMode",
                    true,
                    "ConfigurationChanged",
                    "clients without a valid certificate are let in (mode AllowInsecureFallback)"));
        }
        return conditions;
    }

    private Verdict programmed() {
        if (!gateway.isServed()) {
            return Verdict.bad("Invalid", gateway.accepted().message());
        }
        return joined
                ? Verdict.good("Programmed", "a proxy serves it")
                : Verdict.bad(
                        "Pending",
                        "no proxy has joined for it (expected: parley gateway --name "
                                + gateway.name().name() + " --namespace "
                                + gateway.name().namespace() + ")");
    }

    private List<Condition> conditions(CheckedListener listener) {
        Verdict programmed = listener.isServed() ? programmed() : Verdict.bad("Invalid", "the listener is not valid");
        return List.of(
                Condition.of("Accepted", listener.accepted()),
                Condition.of("Programmed", programmed),
                Condition.of("ResolvedRefs", listener.references()),
                new Condition(
                        "Conflicted",
                        !listener.conflict().good(),
                        listener.conflict().reason(),
                        listener.conflict().message()));
    }
}
