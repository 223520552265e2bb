package io.parley.control.gateway.attach;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Host names with {@code *.} before them at most; {@code *} is all of them. */
public final class Hostnames {
    public static final String ANY = "*";

    private Hostnames() {}

    /** Under which names a route is reached at a listener; none if it is not. */
    static List<String> common(@Nullable String listener, List<String> route) {
        String wanted = listener == null ? ANY : listener;
        if (route.isEmpty()) {
            return List.of(wanted);
        }
        List<String> common = new ArrayList<>();
        route.forEach(name ->
                narrower(wanted, name).filter(each -> !common.contains(each)).ifPresent(common::add));
        return common;
    }

    private static Optional<String> narrower(String one, String other) {
        if (covers(one, other)) {
            return Optional.of(other);
        }
        return covers(other, one) ? Optional.of(one) : Optional.empty();
    }

    /** Whether all that fits the narrow name fits the wide one. A wildcard stands for one label or more, never for none. */
    public static boolean covers(String wide, String narrow) {
        if (wide.equals(ANY) || wide.equals(narrow)) {
            return true;
        }
        return wide.startsWith("*.")
                && narrow.endsWith(wide.substring(1))
                && narrow.length() > wide.length() - 1
                && !narrow.equals(ANY);
    }

    /** Longer names first; of those, exact ones first: the order in which they are tried. */
    public static int rank(String name) {
        return name.equals(ANY) ? 0 : name.startsWith("*.") ? name.length() * 2 : name.length() * 2 + 1;
    }
}
