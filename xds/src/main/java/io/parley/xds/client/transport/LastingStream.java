package io.parley.xds.client.transport;

import com.google.protobuf.Message;
import io.parley.xds.client.loop.Backoff;
import io.parley.xds.client.loop.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is opened again, after a while, whenever it ends. It lives on a loop: its handler is called there, and never
 * about an earlier stream. An answer of the server makes the next wait short again; a stream that ends after one is no failure.
 */
public final class LastingStream<Q extends Message, A extends Message> {
    private final Transport transport;
    private final RpcMethod<Q, A> method;
    private final Retrying retrying;
    private final Loop loop;
    private final Handler<A> handler;
    private @Nullable Attempt attempt;
    private Loop.@Nullable Timer retry;
    private int failures;
    private boolean closed;

    /** When and how to try again. */
    public record Retrying(Loop loop, Backoff backoff, RandomGenerator random) {}

    /** What to do on a stream. */
    public interface Handler<A> {
        /** A new stream begins: whatever was said on an earlier one is forgotten. */
        void opening();

        /** Messages may be sent. */
        void ready();

        /** A message came; the next one is read when {@code readNext} is run. */
        void received(A message, Runnable readNext);

        /** The stream is gone. */
        void ended(StreamEnd end, boolean answered, Duration untilNext);

        /** Whether there is a reason to open the stream again. */
        boolean isNeeded();
    }

    public LastingStream(Transport transport, RpcMethod<Q, A> method, Retrying retrying, Handler<A> handler) {
        this.transport = transport;
        this.method = method;
        this.retrying = retrying;
        this.loop = retrying.loop();
        this.handler = handler;
    }

    public RpcMethod<Q, A> method() {
        return method;
    }

    /** Opens the stream, unless it is open or about to be. */
    public void open() {
        loop.check();
        if (attempt != null || retry != null || closed) {
            return;
        }
        handler.opening();
        Attempt opened = new Attempt();
        attempt = opened;
        opened.stream = transport.open(method, opened);
        opened.stream.readNext();
        opened.onLoop(handler::ready);
    }

    public boolean isOpen() {
        return attempt != null;
    }

    public boolean isReady() {
        return attempt != null && attempt.stream.isReady();
    }

    /** Whether the last stream ended without an answer and there was none since. */
    public boolean isFailing() {
        return failures > 0;
    }

    public void send(Q message) {
        loop.check();
        Optional.ofNullable(attempt)
                .orElseThrow(() -> new IllegalStateException("sent while no stream is open"))
                .stream
                .send(message);
    }

    /** Runs the step later on the loop, if the stream of now is still the one. */
    public void later(Runnable step) {
        if (attempt != null) {
            attempt.onLoop(step);
        }
    }

    /** Ends the stream for good, and the transport with it. */
    public void close(String why) {
        loop.check();
        closed = true;
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
        if (attempt != null) {
            attempt.stream.cancel(why);
            attempt = null;
        }
        transport.close();
    }

    private void ended(Attempt ended, StreamEnd end) {
        attempt = null;
        failures = ended.answered && !end.isExhausted() ? 0 : failures + 1;
        Duration lasted = Duration.ofNanos(loop.nanoTime() - ended.begun);
        Duration delay = retrying.backoff().after(failures, lasted, retrying.random());
        retry = loop.after(delay, this::reopen);
        handler.ended(end, ended.answered, delay);
    }

    private void reopen() {
        retry = null;
        if (handler.isNeeded()) {
            open();
        }
    }

    /** One stream from its opening to its end. */
    private final class Attempt implements StreamListener<A> {
        private final long begun = loop.nanoTime();
        private RpcStream<Q> stream = RpcStream.none();
        private boolean answered;

        @Override
        public void ready() {
            onLoop(handler::ready);
        }

        @Override
        public void received(A message) {
            onLoop(() -> {
                answered = true;
                handler.received(message, () -> onLoop(stream::readNext));
            });
        }

        @Override
        public void closed(StreamEnd end) {
            onLoop(() -> ended(this, end));
        }

        private void onLoop(Runnable step) {
            loop.execute(() -> {
                if (Optional.ofNullable(attempt).filter(this::equals).isPresent()) {
                    step.run();
                }
            });
        }
    }
}
