package io.parley.xds.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a test client received, and how its stream ended. */
final class Inbox<Q, R> implements ClientResponseObserver<Q, R> {
    private final BlockingQueue<R> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<Status> end = new LinkedBlockingQueue<>();
    private final int initialRequests;
    private @Nullable ClientCallStreamObserver<Q> call;

    Inbox() {
        this(Integer.MAX_VALUE);
    }

    /** Reads this many responses and then no more. */
    Inbox(int initialRequests) {
        this.initialRequests = initialRequests;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> started) {
        call = started;
        started.disableAutoRequestWithInitial(initialRequests);
    }

    void read(int more) {
        Objects.requireNonNull(call).request(more);
    }

    @Override
    public void onNext(R value) {
        received.add(value);
    }

    @Override
    public void onError(Throwable failure) {
        end.add(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end.add(Status.OK);
    }

    R next() {
        return taken(received);
    }

    Status end() {
        return taken(end);
    }

    void assertQuiet() {
        assertThat(received).isEmpty();
    }

    boolean isEmpty() {
        return received.isEmpty();
    }

    private static <T> T taken(BlockingQueue<T> queue) {
        try {
            T value = queue.poll(30, TimeUnit.SECONDS);
            if (value == null) {
                throw new AssertionError("nothing came within 30 s");
            }
            return value;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
