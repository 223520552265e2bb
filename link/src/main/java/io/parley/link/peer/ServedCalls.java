package io.parley.link.peer;

import com.google.protobuf.ByteString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.parley.link.CallRefusal;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Frame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The peer's calls that are being served, no more at a time than the limit. */
final class ServedCalls {
    private static final Logger log = LoggerFactory.getLogger(ServedCalls.class);

    private final CallRouter router;
    private final int limit;
    private final Executor onLoop;
    private final Answers answers;
    private final IntObjectMap<Served> bySeq = new IntObjectHashMap<>(2);

    private record Served(Frame.Call call, CompletableFuture<ByteString> answer) {}

    /** Where the outcome of a call goes. */
    interface Answers {
        void reply(Frame.Call call, ByteString payload);

        void fail(Frame.Call call, ErrorCode code, String description);
    }

    ServedCalls(CallRouter router, int limit, Executor onLoop, Answers answers) {
        this.router = router;
        this.limit = limit;
        this.onLoop = onLoop;
        this.answers = answers;
    }

    void serve(Frame.Call call, long nowSeconds) {
        if (call.deadline() < nowSeconds) {
            log.info("call {} came {} s after its deadline: not served", call.method(), nowSeconds - call.deadline());
            refuse(
                    call,
                    "deadline: " + call.deadline() + " has passed (now: " + nowSeconds
                            + "; if that is wrong, compare the clocks)");
        } else if (bySeq.size() >= limit) {
            refuse(call, "too many calls at a time (expected: at most " + limit + " without an answer)");
        } else if (bySeq.containsKey(call.seq())) {
            refuse(call, "seq: " + call.seq() + " (expected: one that no unanswered call has)");
        } else {
            run(call);
        }
    }

    boolean isEmpty() {
        return bySeq.isEmpty();
    }

    /** Cancels what nobody waits for any more. No answer is sent. */
    void expire(long nowSeconds) {
        cancel(bySeq.values().stream()
                .filter(served -> served.call.deadline() < nowSeconds)
                .toList());
    }

    void close() {
        cancel(List.copyOf(bySeq.values()));
    }

    private void run(Frame.Call call) {
        CompletableFuture<ByteString> answer;
        try {
            answer = router.route(call.method(), call.payload());
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        if (answer.isDone()) {
            finish(call, answer);
            return;
        }
        CompletableFuture<ByteString> later = answer;
        bySeq.put(call.seq(), new Served(call, later));
        var _ = later.whenComplete((_, _) -> onLoop.execute(() -> {
            if (bySeq.remove(call.seq()) != null) {
                finish(call, later);
            }
        }));
    }

    private void finish(Frame.Call call, CompletableFuture<ByteString> answer) {
        if (answer.state() == Future.State.SUCCESS) {
            answers.reply(call, answer.resultNow());
            return;
        }
        Throwable cause = answer.isCancelled() ? null : rootOf(answer.exceptionNow());
        if (cause instanceof CallRefusal refusal) {
            answers.fail(call, refusal.code(), String.valueOf(refusal.getMessage()));
            return;
        }
        // The peer learns nothing of what went on inside.
        log.warn("call {} failed", call.method(), cause);
        answers.fail(call, ErrorCode.GENERIC, "internal error");
    }

    private void refuse(Frame.Call call, String reason) {
        answers.fail(call, ErrorCode.GENERIC, reason);
    }

    private void cancel(List<Served> calls) {
        for (Served served : calls) {
            bySeq.remove(served.call.seq());
            served.answer.cancel(false);
        }
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }
}
