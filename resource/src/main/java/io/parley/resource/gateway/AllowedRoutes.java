package io.parley.resource.gateway;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which routes a listener takes.
 *
 * @param kinds none for all that its protocol can carry
 * @param selector of namespaces, where {@code from} says so
 */
public record AllowedRoutes(From from, @Nullable LabelSelector selector, List<RouteGroupKind> kinds) {
    /** From which namespaces. */
    public enum From {
        SAME,
        ALL,
        SELECTOR,
        NONE
    }

    /** A kind of routes. */
    public record RouteGroupKind(String group, String kind) {}

    static final AllowedRoutes USUAL = new AllowedRoutes(From.SAME, null, List.of());
    private static final Choices<From> FROM = Choices.camelCase(From.class);

    public AllowedRoutes {
        kinds = List.copyOf(kinds);
    }

    private record Namespaces(From from, @Nullable LabelSelector selector) {}

    static AllowedRoutes read(Fields fields) {
        Namespaces namespaces = fields.at("namespaces").object(AllowedRoutes::namespaces);
        List<RouteGroupKind> kinds = Texts.atMost(
                8,
                fields.at("kinds"),
                fields.at("kinds")
                        .objects(kind -> new RouteGroupKind(
                                Texts.orElse(kind.at("group").text(), Refs.GROUP),
                                kind.at("kind").requireText())));
        return namespaces == null
                ? new AllowedRoutes(From.SAME, null, kinds)
                : new AllowedRoutes(namespaces.from, namespaces.selector, kinds);
    }

    private static Namespaces namespaces(Fields fields) {
        From from = fields.at("from").choiceOr(From.SAME, FROM);
        LabelSelector selector = fields.at("selector").object(LabelSelector::read);
        if (from == From.SELECTOR && selector == null) {
            fields.fail("selector", "missing (expected: one, as from is Selector)");
        }
        return new Namespaces(from, selector);
    }
}
