package io.parley.resource.policy;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Header fields of which another value would make another message of what follows on the connection. Nobody's to change but a proxy's own. */
public final class FramingFields {
    private static final Set<String> NAMES = new TreeSet<>(Set.of(
            "connection", "content-length", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"));

    private FramingFields() {}

    /** Whether this is the name of one, in whatever letters. */
    public static boolean has(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /** All of them, for who is told. */
    static String names() {
        return String.join(", ", NAMES);
    }
}
