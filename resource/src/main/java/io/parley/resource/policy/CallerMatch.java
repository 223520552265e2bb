package io.parley.resource.policy;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Picks callers by who they are or by what name they asked for. Given both, both must fit.
 *
 * @param spiffeId of the caller's certificate
 * @param sni the server name that the caller asked for, always compared whole
 */
public record CallerMatch(
        @Nullable SpiffeIdMatch spiffeId, @Nullable String sni) {
    /** How an identity is compared. */
    public enum Type {
        EXACT,
        PREFIX
    }

    private enum Whole {
        EXACT
    }

    /** Compares an identity. */
    public record SpiffeIdMatch(Type type, String value) {}

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);
    private static final Choices<Whole> WHOLE = Choices.camelCase(Whole.class);

    public static CallerMatch read(Fields fields) {
        fields.needAnyOf("spiffeID", "sni");
        return new CallerMatch(
                fields.at("spiffeID")
                        .object(id -> new SpiffeIdMatch(
                                id.at("type").requireChoice(TYPES),
                                id.at("value")
                                        .requireText(
                                                "an identity such as spiffe://default/backend",
                                                text -> text.startsWith("spiffe://")))),
                fields.at("sni").object(sni -> {
                    var _ = sni.at("type").requireChoice(WHOLE);
                    return sni.at("value").requireText();
                }));
    }
}
