package io.parley.control.serve;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The first answer on a stream, and how and when the stream ended. */
final class StreamEnd<R> implements StreamObserver<R> {
    private record End(Status status, long at) {}

    private final CompletableFuture<R> first = new CompletableFuture<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();

    R first() {
        return first.orTimeout(30, TimeUnit.SECONDS).join();
    }

    Status status() {
        return end.orTimeout(30, TimeUnit.SECONDS).join().status();
    }

    long endedAt() {
        return end.orTimeout(30, TimeUnit.SECONDS).join().at();
    }

    @Override
    public void onNext(R answer) {
        first.complete(answer);
    }

    @Override
    public void onError(Throwable failure) {
        first.completeExceptionally(failure);
        end.complete(new End(Status.fromThrowable(failure), System.nanoTime()));
    }

    @Override
    public void onCompleted() {
        end.complete(new End(Status.OK, System.nanoTime()));
    }
}
