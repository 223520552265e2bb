package io.parley.link.peer;

import com.google.protobuf.ByteString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.parley.link.LinkException;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Our calls that wait for an answer, by the number that the answer will name. Each leaves exactly once. */
final class PendingCalls {
    private final IntObjectMap<Pending> bySeq = new IntObjectHashMap<>(2);

    private record Pending(Method method, long expiresNanos, CompletableFuture<ByteString> answer) {}

    void add(int seq, Method method, long expiresNanos, CompletableFuture<ByteString> answer) {
        bySeq.put(seq, new Pending(method, expiresNanos, answer));
    }

    int size() {
        return bySeq.size();
    }

    /** False if no call has this number: the answer is late, or made up. */
    boolean answer(int ack, ByteString payload) {
        Pending call = bySeq.remove(ack);
        return call != null && call.answer.complete(payload);
    }

    boolean fail(int ack, LinkException failure) {
        Pending call = bySeq.remove(ack);
        return call != null && call.answer.completeExceptionally(failure);
    }

    void expire(long nowNanos) {
        List<Integer> expired = bySeq.entrySet().stream()
                .filter(entry -> entry.getValue().expiresNanos - nowNanos <= 0)
                .map(entry -> entry.getKey())
                .toList();
        for (int seq : expired) {
            Pending call = bySeq.remove(seq);
            if (call != null) {
                String text = "no answer of " + call.method + " in time";
                call.answer.completeExceptionally(new LinkException(LinkException.Kind.TIMED_OUT, text));
            }
        }
    }

    void close(CloseReason reason) {
        List<Pending> left = List.copyOf(bySeq.values());
        bySeq.clear();
        for (Pending call : left) {
            call.answer.completeExceptionally(closedBefore(call.method, reason));
        }
    }

    static LinkException closedBefore(Method method, CloseReason reason) {
        return new LinkException(LinkException.Kind.CLOSED, method + ": connection closed, " + reason);
    }
}
