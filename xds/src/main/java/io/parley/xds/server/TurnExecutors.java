package io.parley.xds.server;

import io.grpc.ServerCall;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.Executor;

/**
 * Where a stream takes the turns that changes cause; what its client sends is dealt with on the thread that brings it.
 *
 * <p>Best is the event loop of the stream's connection. The answers to all streams of a connection are then written by one thread that
 * need not be woken for each, and leave in a few system calls instead of one each.
 */
@FunctionalInterface
public interface TurnExecutors {
    /** The executor of a stream. Called once, on the thread on which the call begins. */
    Executor of(ServerCall<?, ?> call);

    /** All streams on one executor. */
    static TurnExecutors all(Executor executor) {
        return _ -> executor;
    }

    /**
     * Each stream on its connection's event loop.
     *
     * @param loops of a gRPC server whose calls begin there, which is so with {@code directExecutor()}
     * @param elsewhere for streams that begin on another thread
     */
    static TurnExecutors eventLoops(EventExecutorGroup loops, Executor elsewhere) {
        return _ -> {
            for (EventExecutor loop : loops) {
                if (loop.inEventLoop()) {
                    return loop;
                }
            }
            return elsewhere;
        };
    }
}
