package io.parley.link;

import com.google.protobuf.Message;
import io.netty.util.concurrent.EventExecutor;
import io.parley.wire.wrpc.CloseReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** An open connection, as the services on it see it. Every method may be called from any thread. */
public interface Link {
    /** Fails with {@link LinkException}. Completes on {@link #loop()}. */
    <Q extends Message, A extends Message> CompletableFuture<A> call(Rpc<Q, A> rpc, Q request, Duration timeout);

    void close(CloseReason reason);

    /** Completes when the connection has ended, with the reason. Never fails. */
    CompletableFuture<CloseReason> closed();

    /** The thread that owns the connection. */
    EventExecutor loop();
}
