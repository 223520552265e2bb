package io.parley.link.peer;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.netty.util.concurrent.EventExecutor;
import io.parley.link.Link;
import io.parley.link.LinkException;
import io.parley.link.LinkLimits;
import io.parley.link.PeerText;
import io.parley.link.Rpc;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.FrameCodec;
import io.parley.wire.wrpc.Method;
import io.parley.wire.wrpc.Received;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a wRPC connection. Its state belongs to one event loop and is checked to: whatever comes from elsewhere is handed over.
 *
 * <p>Every call ends in every case: answered, refused, out of time, or cancelled because the connection ended. Deadlines on the wire
 * have whole seconds, so one sweep a second over the open calls finds those that passed; a connection without open calls has no timer.
 */
public final class WrpcPeer implements Link {
    private static final Logger log = LoggerFactory.getLogger(WrpcPeer.class);
    private static final long SWEEP_SECONDS = 1;

    private final EventExecutor loop;
    private final Wire wire;
    private final InstantSource time;
    private final LinkLimits limits;
    private final PendingCalls pending = new PendingCalls();
    private final ServedCalls served;
    private final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
    /** What others see: they cannot complete the real one. */
    private final CompletableFuture<CloseReason> closedForOthers = closed.copy();

    private int lastSeq;
    private boolean sweeping;

    public WrpcPeer(EventExecutor loop, Wire wire, InstantSource time, LinkLimits limits, CallRouter router) {
        this.loop = loop;
        this.wire = wire;
        this.time = time;
        this.limits = limits;
        this.served = new ServedCalls(router, limits.maxRunningCalls(), this::onLoop, new WireAnswers());
    }

    @Override
    public <Q extends Message, A extends Message> CompletableFuture<A> call(
            Rpc<Q, A> rpc, Q request, Duration timeout) {
        var answer = new CompletableFuture<ByteString>();
        ByteString payload = request.toByteString();
        try {
            onLoop(() -> start(rpc.method(), payload, timeout, answer));
        } catch (RejectedExecutionException _) {
            answer.completeExceptionally(
                    new LinkException(LinkException.Kind.CLOSED, rpc.method() + ": the event loop has ended"));
        }
        return answer.thenApply(rpc::readResponse);
    }

    @Override
    public void close(CloseReason reason) {
        onLoop(() -> {
            if (!closed.isDone()) {
                wire.close(reason);
                end(reason);
            }
        });
    }

    @Override
    public CompletableFuture<CloseReason> closed() {
        return closedForOthers;
    }

    @Override
    public EventExecutor loop() {
        return loop;
    }

    /** Takes one whole binary message of the peer. The bytes may be reused afterwards. */
    public void received(ByteBuffer message) {
        checkLoop();
        if (closed.isDone()) {
            return;
        }
        switch (FrameCodec.decode(message)) {
            case Frame.Call call -> serve(call);
            case Frame.Reply reply -> answered(reply);
            case Frame.Failure failure -> failed(failure);
            case Received.Refused refused -> refused(refused);
            case Received.Malformed malformed -> close(malformed.close());
        }
    }

    /** The connection has ended, for a reason that lies below or with the peer. */
    public void ended(CloseReason reason) {
        checkLoop();
        end(reason);
    }

    private void start(Method method, ByteString payload, Duration timeout, CompletableFuture<ByteString> answer) {
        if (closed.isDone()) {
            answer.completeExceptionally(PendingCalls.closedBefore(method, closed.resultNow()));
            return;
        }
        if (pending.size() >= limits.maxPendingCalls()) {
            String text = method + ": " + pending.size() + " calls without an answer (expected: fewer than "
                    + limits.maxPendingCalls() + ")";
            answer.completeExceptionally(new LinkException(LinkException.Kind.TOO_MANY_CALLS, text));
            return;
        }
        int seq = nextSeq();
        // A second more than asked for: the wire has whole seconds, and cutting one would end the call early.
        long deadline = now() + timeout.toSeconds() + 1;
        byte[] frame = FrameCodec.encode(new Frame.Call(method, seq, deadline, payload));
        if (frame.length > limits.maxFrameBytes()) {
            String text = method + ": " + frame.length + " bytes (expected: at most " + limits.maxFrameBytes() + ")";
            answer.completeExceptionally(new LinkException(LinkException.Kind.TOO_BIG, text));
            return;
        }
        pending.add(seq, method, loop.ticker().nanoTime() + timeout.toNanos(), answer);
        keepSweeping();
        send(frame);
    }

    private void serve(Frame.Call call) {
        served.serve(call, now());
        if (!served.isEmpty()) {
            keepSweeping();
        }
    }

    private void answered(Frame.Reply reply) {
        if (!pending.answer(reply.ack(), reply.payload())) {
            // An answer to an answer could go on for ever.
            log.debug("reply to unknown call {} dropped", reply.ack());
        }
    }

    private void failed(Frame.Failure failure) {
        String text = failure.description().isEmpty() ? "the peer gave no reason" : PeerText.cut(failure.description());
        if (!pending.fail(failure.ack(), new LinkException(LinkException.Kind.REFUSED_BY_PEER, text))) {
            log.debug("peer reports {} for {}: {}", failure.code(), failure.method(), text);
        }
    }

    private void refused(Received.Refused refused) {
        if (refused.ack() == 0) {
            fail(refused.method(), refused.seq(), refused.code(), refused.reason());
        } else {
            pending.fail(refused.ack(), new LinkException(LinkException.Kind.BAD_ANSWER, refused.reason()));
        }
    }

    private void fail(Method method, int ack, ErrorCode code, String description) {
        send(FrameCodec.encode(new Frame.Failure(method, nextSeq(), ack, code, description)));
    }

    private void send(byte[] frame) {
        if (closed.isDone()) {
            return;
        }
        long queued = wire.queuedBytes();
        if (queued + frame.length > limits.maxQueuedBytes()) {
            wire.abort();
            end(new CloseReason(CloseReason.ABNORMAL, "peer does not read: " + queued + " bytes wait for it"));
            return;
        }
        wire.send(frame);
    }

    private void end(CloseReason reason) {
        if (closed.complete(reason)) {
            pending.close(reason);
            served.close();
        }
    }

    private void keepSweeping() {
        if (!sweeping && !closed.isDone()) {
            sweeping = true;
            var _ = loop.schedule(this::sweep, SWEEP_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void sweep() {
        sweeping = false;
        pending.expire(loop.ticker().nanoTime());
        served.expire(now());
        if (pending.size() > 0 || !served.isEmpty()) {
            keepSweeping();
        }
    }

    private int nextSeq() {
        // Unsigned: after the largest comes 1 again, since 0 means none.
        lastSeq = lastSeq == -1 ? 1 : lastSeq + 1;
        return lastSeq;
    }

    private long now() {
        return time.instant().getEpochSecond();
    }

    private void onLoop(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.execute(step);
        }
    }

    private void checkLoop() {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("called off its event loop: " + Thread.currentThread());
        }
    }

    private final class WireAnswers implements ServedCalls.Answers {
        @Override
        public void reply(Frame.Call call, ByteString payload) {
            byte[] frame = FrameCodec.encode(new Frame.Reply(call.method(), nextSeq(), call.seq(), payload));
            if (frame.length > limits.maxFrameBytes()) {
                log.warn("answer of {} has {} bytes, more than a frame may have", call.method(), frame.length);
                fail(call, ErrorCode.GENERIC, "the answer is larger than a frame may be");
                return;
            }
            send(frame);
        }

        @Override
        public void fail(Frame.Call call, ErrorCode code, String description) {
            WrpcPeer.this.fail(call.method(), call.seq(), code, description);
        }
    }
}
