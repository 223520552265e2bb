package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.backend.RouteKind;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.CheckedListener;
import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.model.ObjectKinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Of a Gateway.
 *
 * @param attached how many routes each listener has
 * @param serving whether proxies have taken it up
 */
public record GatewayStatus(CheckedGateway gateway, List<Integer> attached, Serving serving) implements Status {
    private static final String PROGRAMMED = Earlier.PROGRAMMED;
    private static final String PENDING = "Pending";
    private static final String CONFLICTED = "Conflicted";

    public GatewayStatus {
        attached = List.copyOf(attached);
    }

    @Override
    public ObjectNode after(ObjectNode earlier, Instant now) {
        long generation = gateway.gateway().generation();
        ObjectNode status = earlier.deepCopy();
        ArrayNode addresses = status.putArray("addresses");
        gateway.addresses()
                .forEach(address ->
                        addresses.addObject().put("type", address.type()).put("value", address.value()));
        status.set(
                "conditions",
                Conditions.write(conditions(earlier.path("conditions")), generation, earlier.path("conditions"), now));
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
            JsonNode said = before.path("conditions");
            entry.set("conditions", Conditions.write(conditions(listener, at, said), generation, said, now));
        }
        return status;
    }

    /** What is in the way, in a sentence: of the Gateway, else of its listeners. Empty if nothing is. */
    public String problem() {
        JsonNode nothing = MissingNode.getInstance();
        Optional<String> own = conditions(nothing).stream()
                .filter(condition -> !condition.holds())
                .map(GatewayStatus::problem)
                .findFirst();
        return own.orElseGet(() -> IntStream.range(0, gateway.listeners().size())
                .mapToObj(at -> problem(gateway.listeners().get(at), at))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; ")));
    }

    private Optional<String> problem(CheckedListener listener, int at) {
        return conditions(listener, at, MissingNode.getInstance()).stream()
                .filter(condition -> condition.holds() == condition.type().equals(CONFLICTED))
                .map(condition -> "listener " + listener.spec().name() + ": " + problem(condition))
                .findFirst();
    }

    private static String problem(Condition condition) {
        return condition.type() + " " + (condition.holds() ? "True" : "False") + " (" + condition.reason() + "): "
                + condition.message();
    }

    private List<Condition> conditions(JsonNode said) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(Condition.of("Accepted", gateway.accepted()));
        conditions.add(programmed(said));
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

    private Condition programmed(JsonNode said) {
        if (!gateway.isServed()) {
            return invalid(gateway.accepted().message());
        }
        return switch (serving) {
            case Serving.Unknown _ ->
                Earlier.ofGateway(said, gateway).ofThisGeneration().orElseGet(this::pending);
            case Serving.Unheard _ ->
                Earlier.ofGateway(said, gateway).ofAnyGeneration().orElseGet(GatewayStatus::unheard);
            case Serving.Nobody _ -> pending();
            case Serving.Somebody(var troubles, var refusal) ->
                refusal.isEmpty()
                        ? Condition.of(PROGRAMMED, programmed(troubles))
                        : invalid("a proxy goes on as before and refuses what is new: " + refusal);
        };
    }

    /** An address that cannot be used is told even if others can be: the Gateway is not where it is looked for. */
    private Verdict programmed(Map<Integer, Serving.Trouble> troubles) {
        List<Serving.Trouble> all = troubles.values().stream()
                .sorted(Comparator.comparing(Serving.Trouble::cause).thenComparing(Serving.Trouble::message))
                .toList();
        long served =
                gateway.listeners().stream().filter(CheckedListener::isServed).count();
        if (!all.isEmpty() && (all.getFirst().cause() == Serving.Cause.ADDRESS || all.size() >= served)) {
            return Verdict.bad(all.getFirst().cause().reason(), messages(all));
        }
        return Verdict.good(
                PROGRAMMED, all.isEmpty() ? "a proxy serves it" : "a proxy serves it, but " + messages(all));
    }

    private static String messages(List<Serving.Trouble> troubles) {
        return troubles.stream().map(Serving.Trouble::message).distinct().collect(Collectors.joining("; "));
    }

    private static Condition invalid(String message) {
        return new Condition(PROGRAMMED, false, Earlier.INVALID, message);
    }

    private Condition pending() {
        return new Condition(
                PROGRAMMED,
                false,
                PENDING,
                "no proxy has joined for it (expected: parley gateway --name "
                        + gateway.name().name() + " --namespace "
                        + gateway.name().namespace() + ")");
    }

    private static Condition unheard() {
        return new Condition(PROGRAMMED, false, PENDING, "a proxy has joined for it and is being told");
    }

    private List<Condition> conditions(CheckedListener listener, int at, JsonNode said) {
        return List.of(
                Condition.of("Accepted", listener.accepted()),
                programmed(listener, at, said),
                Condition.of("ResolvedRefs", listener.references()),
                new Condition(
                        CONFLICTED,
                        !listener.conflict().good(),
                        listener.conflict().reason(),
                        listener.conflict().message()));
    }

    private Condition programmed(CheckedListener listener, int at, JsonNode said) {
        if (!listener.isServed()) {
            return invalid("the listener is not valid");
        }
        if (!gateway.isServed()) {
            return invalid(gateway.accepted().message());
        }
        return switch (serving) {
            case Serving.Unknown _ ->
                Earlier.ofListener(said, gateway).ofThisGeneration().orElseGet(this::pending);
            case Serving.Unheard _ ->
                Earlier.ofListener(said, gateway).ofAnyGeneration().orElseGet(GatewayStatus::unheard);
            case Serving.Nobody _ -> pending();
            case Serving.Somebody(var troubles, var _) -> {
                Serving.Trouble trouble = troubles.get(at);
                yield Condition.of(
                        PROGRAMMED,
                        trouble == null
                                ? Verdict.good(PROGRAMMED, "a proxy serves it")
                                : Verdict.bad(trouble.cause().reason(), trouble.message()));
            }
        };
    }
}
