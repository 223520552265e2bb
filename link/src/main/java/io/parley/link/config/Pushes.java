package io.parley.link.config;

import io.netty.util.concurrent.EventExecutor;
import io.parley.link.LinkException;
import io.parley.link.Services;
import io.parley.link.server.NodeLink;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.PushResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one node up to date. One change travels at a time, and types in the order in which the node named them: a route that names a
 * new cluster leaves when that cluster is in force. Of the states of a type that come meanwhile only the last counts. A type of which
 * a node refused a change is left alone for a while, so that a node that refuses everything costs little.
 */
final class Pushes {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(5);
    private static final int PART_BYTES = 1 << 20;

    private final NodeLink node;
    private final ConfigListener listener;
    private final EventExecutor loop;
    private final Map<String, Type> types = new LinkedHashMap<>();
    private boolean pushing;

    Pushes(NodeLink node, ConfigListener listener) {
        this.node = node;
        this.listener = listener;
        this.loop = node.link().loop();
    }

    /** On the loop of the link. */
    void add(String typeUrl, Map<String, String> held) {
        types.put(typeUrl, new Type(typeUrl, held));
    }

    boolean has(String typeUrl) {
        return types.containsKey(typeUrl);
    }

    int count() {
        return types.size();
    }

    /** States by type; a type that was not added is passed over. May be called from any thread. */
    void offer(Map<String, ResourceState> states) {
        loop.execute(() -> {
            types.forEach((typeUrl, type) -> type.next = states.getOrDefault(typeUrl, type.next));
            pump();
        });
    }

    private void pump() {
        for (Type type : types.values()) {
            if (pushing) {
                return;
            }
            type.begin();
        }
    }

    /** What the node has of one type, and what it is to have. */
    private final class Type {
        private final String url;
        private final Map<String, String> held;
        private @Nullable ResourceState next;
        private boolean resting;

        Type(String url, Map<String, String> held) {
            this.url = url;
            this.held = new HashMap<>(held);
        }

        void begin() {
            ResourceState state = next;
            if (state == null || resting) {
                return;
            }
            next = null;
            List<PushRequest> parts = PushPlan.of(url, held, state, PART_BYTES);
            if (parts.isEmpty()) {
                listener.applied(node, url, state.version());
                return;
            }
            pushing = true;
            CompletableFuture<PushResponse> sent = CompletableFuture.completedFuture(PushResponse.getDefaultInstance());
            for (PushRequest part : parts) {
                sent = sent.thenCompose(_ -> node.link().call(Services.PUSH, part, ANSWER_WITHIN));
            }
            var _ = sent.whenComplete((_, failure) -> finished(state, failure));
        }

        private void finished(ResourceState state, @Nullable Throwable failure) {
            pushing = false;
            if (failure == null) {
                held.clear();
                state.resources().forEach((name, item) -> held.put(name, item.version()));
                listener.applied(node, url, state.version());
            } else if (!survives(state, failure)) {
                return;
            }
            pump();
        }

        /** False if nothing more can be pushed on this link. */
        private boolean survives(ResourceState state, Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof LinkException link && link.kind() == LinkException.Kind.CLOSED) {
                return false;
            }
            listener.refused(node, url, state.version(), String.valueOf(cause.getMessage()));
            if (cause instanceof LinkException link && link.kind() == LinkException.Kind.TIMED_OUT) {
                // Applied or not, nobody knows: on the next connection the node says what it holds.
                node.link().close(new CloseReason(CloseReason.POLICY_VIOLATION, "no answer to a push of " + url));
                return false;
            }
            rest();
            return true;
        }

        private void rest() {
            resting = true;
            var _ = loop.schedule(
                    () -> {
                        resting = false;
                        pump();
                    },
                    AFTER_REFUSAL.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }
}
