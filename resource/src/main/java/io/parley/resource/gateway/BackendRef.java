package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import org.jspecify.annotations.Nullable;

/**
 * Where traffic goes.
 *
 * @param port needed for a Service
 * @param weight its share, relative to the others; 0 for none
 */
public record BackendRef(ObjectRef target, @Nullable Integer port, int weight) {
    private static final IntRange WEIGHT = new IntRange(0, 1_000_000);

    static BackendRef read(Fields fields) {
        BackendRef ref = readUnweighted(fields);
        return new BackendRef(
                ref.target, ref.port, Texts.orElse(fields.at("weight").integer(WEIGHT), 1));
    }

    static BackendRef readUnweighted(Fields fields) {
        ObjectRef target = new ObjectRef(
                Texts.orElse(fields.at("group").text(), ""),
                Texts.orElse(fields.at("kind").text(), "Service"),
                Refs.namespace(fields),
                fields.at("name").requireText());
        Integer port = Texts.port(fields.at("port"));
        if (port == null && target.is("", "Service")) {
            fields.fail("port", "missing (expected: a port of the Service)");
        }
        return new BackendRef(target, port, 1);
    }
}
