package io.parley.link.server;

import io.parley.wire.wrpc.CloseReason;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The links that are open, by node. A node needs one, and a second while it changes over; each costs memory and a share of every push, so
 * one that opens more and more loses its oldest, which is the likeliest to be dead.
 */
final class OpenLinks {
    static final int MAX_PER_NODE = 4;

    private final Map<LinkSession.Node, List<LinkSession>> byNode = new ConcurrentHashMap<>();

    void add(LinkSession session) {
        List<LinkSession> open = byNode.merge(
                session.node(),
                List.of(session),
                (before, added) ->
                        Stream.of(before, added).flatMap(Collection::stream).toList());
        var reason = new CloseReason(
                CloseReason.POLICY_VIOLATION,
                "this node opened " + MAX_PER_NODE + " more links (expected: at most " + MAX_PER_NODE + ")");
        // All that are too many and not just one: those closed before may not be gone yet.
        open.stream()
                .limit(Math.max(0, open.size() - MAX_PER_NODE))
                .forEach(oldest -> oldest.peer().close(reason));
        var _ = session.peer().closed().thenAccept(_ -> remove(session));
    }

    Stream<LinkSession> all() {
        return byNode.values().stream().flatMap(List::stream);
    }

    private void remove(LinkSession session) {
        byNode.computeIfPresent(session.node(), (_, open) -> {
            List<LinkSession> left =
                    open.stream().filter(other -> other != session).toList();
            return left.isEmpty() ? null : left;
        });
    }
}
