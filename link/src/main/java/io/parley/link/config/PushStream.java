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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one node up to date with one type. One change travels at a time; of those that come meanwhile only the last counts. A node
 * that refuses a change is left alone for a while, so that one that refuses everything costs little.
 */
final class PushStream {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(5);
    private static final int PART_BYTES = 1 << 20;

    private final NodeLink node;
    private final String typeUrl;
    private final ConfigListener listener;
    private final EventExecutor loop;
    private final Map<String, String> held;
    private @Nullable ResourceState next;
    private boolean pushing;
    private boolean resting;

    PushStream(NodeLink node, String typeUrl, Map<String, String> held, ConfigListener listener) {
        this.node = node;
        this.typeUrl = typeUrl;
        this.held = new HashMap<>(held);
        this.listener = listener;
        this.loop = node.link().loop();
    }

    /** May be called from any thread. */
    void offer(ResourceState state) {
        loop.execute(() -> {
            next = state;
            pump();
        });
    }

    private void pump() {
        ResourceState state = next;
        if (state == null || pushing || resting) {
            return;
        }
        next = null;
        List<PushRequest> parts = PushPlan.of(typeUrl, held, state, PART_BYTES);
        if (parts.isEmpty()) {
            listener.applied(node, typeUrl, state.version());
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
            listener.applied(node, typeUrl, state.version());
            pump();
            return;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof LinkException link && link.kind() == LinkException.Kind.CLOSED) {
            return;
        }
        listener.refused(node, typeUrl, state.version(), String.valueOf(cause.getMessage()));
        if (cause instanceof LinkException link && link.kind() == LinkException.Kind.TIMED_OUT) {
            // Applied or not, nobody knows: on the next connection the node says what it holds.
            node.link().close(new CloseReason(CloseReason.POLICY_VIOLATION, "no answer to a push of " + typeUrl));
            return;
        }
        rest();
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
