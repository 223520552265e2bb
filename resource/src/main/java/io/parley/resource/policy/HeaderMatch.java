package io.parley.resource.policy;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;

/**
 * Picks requests or responses by a header.
 *
 * @param value empty where the type compares nothing
 */
public record HeaderMatch(Type type, String name, String value) {
    /** How a header is compared. */
    public enum Type {
        EXACT,
        PRESENT,
        REGULAR_EXPRESSION,
        ABSENT,
        PREFIX
    }

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);

    public static HeaderMatch read(Fields fields) {
        Type type = fields.at("type").choiceOr(Type.EXACT, TYPES);
        String name = Headers.name(fields.at("name"));
        return switch (type) {
            case EXACT, PREFIX -> new HeaderMatch(type, name, fields.at("value").requireText());
            case REGULAR_EXPRESSION ->
                new HeaderMatch(type, name, fields.at("value").requirePattern());
            case PRESENT, ABSENT -> {
                fields.refuse("value", "only whether the header is there is looked at");
                yield new HeaderMatch(type, name, "");
            }
        };
    }
}
