package io.parley.link;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The procedures that one end serves for one service on one connection. Called on the connection's event loop: must not block, and
 * may answer later from anywhere. Throws, or fails its answer with, {@link CallRefusal} to say no.
 */
public final class ServiceHandler {
    private final Map<Method, Function<ByteString, CompletableFuture<ByteString>>> procedures = new HashMap<>();
    private final Runnable onClose;

    /** What is given is run once when the connection has ended, on its event loop. */
    public ServiceHandler(Runnable onClose) {
        this.onClose = onClose;
    }

    public <Q extends Message, A extends Message> ServiceHandler on(
            Rpc<Q, A> rpc, Function<Q, CompletableFuture<A>> serve) {
        Function<ByteString, CompletableFuture<ByteString>> procedure = payload -> {
            CompletableFuture<A> answer = serve.apply(rpc.readRequest(payload));
            CompletableFuture<ByteString> bytes = answer.thenApply(Message::toByteString);
            // Who cancels the bytes, as a closing connection does, means the work.
            var _ = bytes.whenComplete((_, _) -> {
                if (bytes.isCancelled()) {
                    answer.cancel(false);
                }
            });
            return bytes;
        };
        if (procedures.putIfAbsent(rpc.method(), procedure) != null) {
            throw new IllegalArgumentException("procedure given twice: " + rpc.method());
        }
        return this;
    }

    public CompletableFuture<ByteString> serve(Method method, ByteString payload) {
        Function<ByteString, CompletableFuture<ByteString>> procedure = procedures.get(method);
        if (procedure == null) {
            throw new CallRefusal(ErrorCode.INVALID_RPC, "unknown procedure: " + method);
        }
        return procedure.apply(payload);
    }

    public void close() {
        onClose.run();
    }
}
