package io.parley.control.serve;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The first answer on a stream, and how the stream ended. */
final class StreamEnd<R> implements StreamObserver<R> {
    private final CompletableFuture<R> first = new CompletableFuture<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    R first() {
        return first.orTimeout(30, TimeUnit.SECONDS).join();
    }

    Status status() {
        return end.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void onNext(R answer) {
        first.complete(answer);
    }

    @Override
    public void onError(Throwable failure) {
        first.completeExceptionally(failure);
        end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end.complete(Status.OK);
    }
}
