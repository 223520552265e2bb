package io.parley.xds.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The servers of one authority in order of priority, and how many of them are in use (gRPC A71). The first is always; the next
 * one joins when all before it fail and something is missing; an answer of one dismisses those after it.
 */
final class AuthorityServers {
    private final String name;
    private final int count;
    private final IntFunction<ServerLink<?, ?>> connect;
    private final List<ServerLink<?, ?>> used = new ArrayList<>();

    AuthorityServers(String name, int count, IntFunction<ServerLink<?, ?>> connect) {
        this.name = name;
        this.count = count;
        this.connect = connect;
    }

    String name() {
        return name;
    }

    List<ServerLink<?, ?>> used() {
        return List.copyOf(used);
    }

    boolean uses(ServerLink<?, ?> link) {
        return used.contains(link);
    }

    boolean isLast(ServerLink<?, ?> link) {
        return !used.isEmpty() && used.getLast().equals(link);
    }

    /** Takes one more server into use, if there is one. */
    Optional<ServerLink<?, ?>> activateNext() {
        if (used.size() == count) {
            return Optional.empty();
        }
        ServerLink<?, ?> link = connect.apply(used.size());
        used.add(link);
        return Optional.of(link);
    }

    /** Lets go of all servers after this one. */
    void dismissAfter(ServerLink<?, ?> link) {
        int index = used.indexOf(link);
        if (index >= 0) {
            used.subList(index + 1, used.size()).clear();
        }
    }
}
