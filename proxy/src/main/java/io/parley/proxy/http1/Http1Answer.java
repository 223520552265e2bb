package io.parley.proxy.http1;

import io.parley.proxy.pool.Answer;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** The answer whose head was read last. */
record Http1Answer(ResponseHead head, Body body) implements Answer {
    @Override
    public int status() {
        return head.status();
    }

    @Override
    public @Nullable String field(String name) {
        return head.field(name);
    }

    @Override
    public Fields model() {
        return head.model();
    }

    @Override
    public boolean isPlain() {
        return head.isPlain() && body.framing() != Body.Framing.UNTIL_CLOSE;
    }
}
