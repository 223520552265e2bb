package io.parley.proxy.pool;

import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** The head of an answer, valid while it is being looked at. */
public interface Answer {
    int status();

    /** All values of a field, joined by commas; null if there is none. The name is in lower case. */
    @Nullable
    String field(String name);

    /** A copy in HTTP/2's form, without what is for this hop only. */
    Fields model();

    /** Whether an HTTP/1.1 client can be given the bytes as they are. */
    boolean isPlain();
}
