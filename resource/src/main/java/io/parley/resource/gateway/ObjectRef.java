package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Another object.
 *
 * @param group empty for the core group
 * @param namespace null for that of whoever refers
 */
public record ObjectRef(String group, String kind, @Nullable String namespace, String name) {
    /** One that is a Secret unless it says otherwise. */
    static ObjectRef readSecret(Fields fields) {
        return new ObjectRef(
                Texts.orElse(fields.at("group").text(), ""),
                Texts.orElse(fields.at("kind").text(), "Secret"),
                Refs.namespace(fields),
                fields.at("name").requireText());
    }

    /** One that says what it is. */
    static ObjectRef read(Fields fields) {
        return new ObjectRef(
                fields.at("group").requireText("a group, or empty text for the core group", text -> true),
                fields.at("kind").requireText(),
                Refs.namespace(fields),
                fields.at("name").requireText());
    }

    /** One in the referrer's own namespace. */
    static ObjectRef readLocal(Fields fields) {
        return new ObjectRef(
                fields.at("group").requireText("a group, or empty text for the core group", text -> true),
                fields.at("kind").requireText(),
                null,
                fields.at("name").requireText());
    }

    public boolean is(String otherGroup, String otherKind) {
        return group.equals(otherGroup) && kind.equals(otherKind);
    }

    @Override
    public String toString() {
        return kind + (group.isEmpty() ? "" : "." + group) + "/" + (namespace == null ? "" : namespace + "/") + name;
    }
}
