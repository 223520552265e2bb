package io.parley.control.destination;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.parley.control.model.Model;
import java.util.List;

/**
 * One open stream. Messages are made when the client can take them, from what holds then: a slow client misses steps in between
 * and nothing piles up.
 */
final class Subscription<M> {
    /** Makes what is to be sent so that the client knows this model; remembers what it made. */
    @FunctionalInterface
    interface Source<M> {
        List<M> next(Model model);
    }

    private final ServerCallStreamObserver<M> out;
    private final Source<M> source;
    private boolean ended;

    Subscription(ServerCallStreamObserver<M> out, Source<M> source) {
        this.out = out;
        this.source = source;
    }

    /** Tells the client what is new to it, if it can take that now; returns whether the stream is still open. */
    synchronized boolean offer(Model model) {
        if (ended || out.isCancelled()) {
            return false;
        }
        if (!out.isReady()) {
            return true;
        }
        try {
            source.next(model).forEach(out::onNext);
        } catch (StatusRuntimeException e) {
            ended = true;
            out.onError(e);
        }
        return !ended;
    }

    synchronized void end() {
        if (!ended && !out.isCancelled()) {
            ended = true;
            out.onError(Status.UNAVAILABLE
                    .withDescription("the control plane is stopping")
                    .asRuntimeException());
        }
    }
}
