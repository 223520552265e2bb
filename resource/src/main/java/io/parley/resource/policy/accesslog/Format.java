package io.parley.resource.policy.accesslog;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import java.util.List;

/** How an entry is written. */
public sealed interface Format {
    /** A line with placeholders. */
    record Plain(String template, boolean omitEmptyValues) implements Format {}

    /** An object with these fields. */
    record Json(List<Member> members, boolean omitEmptyValues) implements Format {}

    /** A field of it. */
    record Member(String key, String value) {}

    /** Which of them. */
    enum Type {
        PLAIN,
        JSON
    }

    static Format read(Fields fields) {
        Type type = fields.at("type").requireChoice(Choices.camelCase(Type.class));
        boolean omitEmptyValues = fields.at("omitEmptyValues").flagOr(false);
        return switch (type) {
            case PLAIN -> {
                fields.refuse("json", "the type is Plain");
                yield new Plain(fields.at("plain").requireText(), omitEmptyValues);
            }
            case JSON -> {
                fields.refuse("plain", "the type is Json");
                yield new Json(
                        fields.at("json")
                                .requireObjects(member -> new Member(
                                        member.at("key").requireText(),
                                        member.at("value").requireText())),
                        omitEmptyValues);
            }
        };
    }
}
