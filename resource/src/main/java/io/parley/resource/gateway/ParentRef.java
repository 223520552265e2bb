package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a route wants to be attached.
 *
 * @param namespace null for that of the route
 * @param sectionName the one listener that is meant; null for all
 * @param port only listeners on it; null for all
 */
public record ParentRef(
        String group,
        String kind,
        @Nullable String namespace,
        String name,
        @Nullable String sectionName,
        @Nullable Integer port) {
    static ParentRef read(Fields fields) {
        return new ParentRef(
                Texts.orElse(fields.at("group").text(), Refs.GROUP),
                Texts.orElse(fields.at("kind").text(), "Gateway"),
                Refs.namespace(fields),
                fields.at("name").requireText(),
                Texts.section(fields.at("sectionName")),
                Texts.port(fields.at("port")));
    }

    /** Whether all of the parent is meant, not one part of it. */
    boolean isWhole() {
        return sectionName == null && port == null;
    }

    boolean isSameObject(ParentRef other) {
        return group.equals(other.group)
                && kind.equals(other.kind)
                && Objects.equals(namespace, other.namespace)
                && name.equals(other.name);
    }

    public boolean isGateway() {
        return group.equals(Refs.GROUP) && kind.equals("Gateway");
    }
}
