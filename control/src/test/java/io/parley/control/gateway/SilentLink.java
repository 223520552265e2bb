package io.parley.control.gateway;

import com.google.protobuf.Message;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.parley.link.Link;
import io.parley.link.Rpc;
import io.parley.wire.wrpc.CloseReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A link that carries nothing. */
final class SilentLink implements Link {
    private final CompletableFuture<CloseReason> closed = new CompletableFuture<>();

    @Override
    public <Q extends Message, A extends Message> CompletableFuture<A> call(Rpc<Q, A> rpc, Q request, Duration time) {
        return CompletableFuture.failedFuture(new IllegalStateException("nobody is there"));
    }

    @Override
    public void close(CloseReason reason) {
        closed.complete(reason);
    }

    @Override
    public CompletableFuture<CloseReason> closed() {
        return closed;
    }

    @Override
    public EventExecutor loop() {
        return ImmediateEventExecutor.INSTANCE;
    }
}
