package io.parley.control.gateway.model;

import io.parley.resource.ResourceKey;
import io.parley.store.Stored;
import java.time.Instant;

/** What somebody declared, without what was found out about it: a write of its status makes no other one of it. */
public record Declared<S>(ResourceKey key, long generation, Instant created, S spec) {
    static <S> Declared<S> of(Stored stored, S spec) {
        return new Declared<>(stored.key(), stored.generation(), stored.created(), spec);
    }

    public Name name() {
        return Name.of(key);
    }
}
