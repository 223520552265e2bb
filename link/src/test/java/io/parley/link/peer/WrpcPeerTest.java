package io.parley.link.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.link.CallRefusal;
import io.parley.link.LinkException;
import io.parley.link.LinkLimits;
import io.parley.link.Services;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.FrameCodec;
import io.parley.wire.wrpc.Method;
import io.parley.wire.wrpc.Received;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.PingCPResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WrpcPeerTest {
    private static final Method PING = Services.PING_CP.method();
    private static final LinkLimits LIMITS =
            new LinkLimits(2_048, 3, 2, 10_000, Duration.ofSeconds(10), Duration.ofSeconds(90));

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FakeWire wire = new FakeWire();
    private final List<CompletableFuture<ByteString>> handled = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1_000);
    private final InstantSource time = () -> now;
    private final WrpcPeer peer = new WrpcPeer(channel.eventLoop(), wire, time, LIMITS, (_, _) -> {
        var answer = new CompletableFuture<ByteString>();
        handled.add(answer);
        return answer;
    });

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @AfterEach
    void nothingIsLeft() {
        peer.close(new CloseReason(CloseReason.NORMAL, ""));
        channel.unfreezeTime();
        channel.finishAndReleaseAll();
    }

    @Test
    void aCallIsAnsweredByTheReplyThatNamesIt() {
        var first = ping();
        var second = ping();

        assertThat(wire.sent).extracting(Frame::seq).containsExactly(1, 2);
        receive(new Frame.Reply(PING, 1, 2, ByteString.EMPTY));

        assertThat(second).isCompletedWithValue(PingCPResponse.getDefaultInstance());
        assertThat(first).isNotDone();
    }

    @Test
    void theDeadlineIsWhenTheCallerGivesUp() {
        var _ = ping();

        assertThat(wire.sent.getFirst())
                .isInstanceOfSatisfying(
                        Frame.Call.class, call -> assertThat(call.deadline()).isEqualTo(1_000 + 5 + 1));
    }

    @Test
    void anErrorFailsTheCallWithItsText() {
        var call = ping();

        receive(new Frame.Failure(PING, 1, 1, ErrorCode.INVALID_SERVICE, "not here"));

        assertFailed(call, LinkException.Kind.REFUSED_BY_PEER, "not here");
    }

    @Test
    void ofAPeersTextOnlySoMuchIsKeptAndNoCharacterIsHalved() {
        var call = ping();

        receive(new Frame.Failure(PING, 1, 1, ErrorCode.GENERIC, "x".repeat(499) + "\uD83D\uDE00".repeat(100)));

        assertThat(call.exceptionNow()).hasMessage("x".repeat(499));
    }

    @Test
    void anErrorForACallThatIsNotKnownIsNoNewsForTheOperator() {
        var logger = (Logger) LoggerFactory.getLogger(WrpcPeer.class);
        var appender = new ListAppender<ILoggingEvent>();
        appender.start();
        logger.addAppender(appender);
        try {
            receive(new Frame.Failure(PING, 1, 77, ErrorCode.GENERIC, "x".repeat(1_000)));
        } finally {
            logger.detachAppender(appender);
        }

        assertThat(appender.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.INFO));
    }

    @Test
    void aCallTimesOutAndALateReplyIsDropped() {
        var call = ping();

        channel.advanceTimeBy(6, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertFailed(call, LinkException.Kind.TIMED_OUT, "no answer of 1.3 in time");
        receive(new Frame.Reply(PING, 1, 1, ByteString.EMPTY));
        assertThat(wire.sent).hasSize(1);
    }

    @Test
    void withoutOpenCallsThereIsNoTimer() {
        var _ = ping();
        receive(new Frame.Reply(PING, 1, 1, ByteString.EMPTY));
        channel.advanceTimeBy(1, TimeUnit.SECONDS);

        assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void aReplyThatCannotBeReadFailsTheCallAndIsNotAnswered() {
        var call = ping();

        receive(new Frame.Reply(PING, 1, 1, ByteString.copyFromUtf8("garbage")));

        assertFailed(call, LinkException.Kind.BAD_ANSWER, "answer of 1.3");
        assertThat(wire.sent).hasSize(1);
    }

    @Test
    void moreCallsThanTheLimitFailAtOnce() {
        var _ = ping();
        var _ = ping();

        assertFailed(ping(), LinkException.Kind.TOO_MANY_CALLS, "1.3: 2 calls without an answer");
        assertThat(wire.sent).hasSize(2);
    }

    @Test
    void aMessageThatIsTooBigIsNotSent() {
        var big = PingCPRequest.newBuilder().setHash("x".repeat(3_000)).build();

        var call = peer.call(Services.PING_CP, big, Duration.ofSeconds(5));

        assertFailed(call, LinkException.Kind.TOO_BIG, "1.3: 30");
        assertThat(wire.sent).isEmpty();
    }

    @Test
    void theHandlersAnswerIsSentWheneverItComes() {
        receive(call(7));
        assertThat(wire.sent).isEmpty();

        handled.getFirst().complete(ByteString.copyFromUtf8("x"));

        assertThat(wire.sent).containsExactly(new Frame.Reply(PING, 1, 7, ByteString.copyFromUtf8("x")));
    }

    @Test
    void aRefusalTellsTheReasonAndABugDoesNot() {
        receive(call(1));
        receive(call(2));

        handled.get(0).completeExceptionally(CallRefusal.because("no"));
        handled.get(1).completeExceptionally(new IllegalStateException("secret"));

        assertThat(wire.sent)
                .containsExactly(
                        new Frame.Failure(PING, 1, 1, ErrorCode.GENERIC, "no"),
                        new Frame.Failure(PING, 2, 2, ErrorCode.GENERIC, "internal error"));
    }

    @Test
    void moreCallsOfThePeerThanTheLimitAreRefusedAndNotRun() {
        for (int seq = 1; seq <= 5; seq++) {
            receive(call(seq));
        }

        assertThat(handled).hasSize(3);
        assertThat(wire.sent).hasSize(2).allMatch(frame -> frame instanceof Frame.Failure);
    }

    @Test
    void callsThatShareANumberDoNotEscapeTheLimit() {
        receive(call(1));
        receive(call(1));

        assertThat(handled).hasSize(1);
        assertThat(wire.sent).singleElement().isInstanceOf(Frame.Failure.class);
    }

    @Test
    void workWhoseDeadlinePassesIsCancelledAndNotAnswered() {
        receive(new Frame.Call(PING, 1, 1_002, ByteString.EMPTY));

        now = now.plusSeconds(3);
        channel.advanceTimeBy(3, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(handled.getFirst()).isCancelled();
        assertThat(wire.sent).isEmpty();
    }

    @Test
    void closingEndsEveryCallInBothDirections() {
        var ours = ping();
        receive(call(1));

        peer.ended(new CloseReason(CloseReason.ABNORMAL, "cable cut"));

        assertFailed(ours, LinkException.Kind.CLOSED, "1.3: connection closed, 1006 cable cut");
        assertThat(handled.getFirst()).isCancelled();
        assertFailed(ping(), LinkException.Kind.CLOSED, "1.3: connection closed");
        assertThat(peer.closed()).isCompletedWithValue(new CloseReason(CloseReason.ABNORMAL, "cable cut"));
    }

    @Test
    void aPeerThatDoesNotReadIsAborted() {
        wire.queued = 9_990;

        var _ = ping();

        assertThat(wire.aborted).isTrue();
        assertThat(peer.closed().resultNow().text()).startsWith("peer does not read");
    }

    @Test
    void afterAMalformedFrameNothingIsReadAnyMore() {
        peer.received(ByteBuffer.wrap(new byte[] {-1}));
        receive(call(1));

        assertThat(wire.closed).extracting(CloseReason::code).containsExactly(CloseReason.INVALID_DATA);
        assertThat(handled).isEmpty();
    }

    @Test
    void stateIsConfinedToTheEventLoop() {
        // An embedded loop takes every thread for its own, so this needs another.
        var other = new DefaultEventLoop();
        try {
            var elsewhere = new WrpcPeer(other, wire, time, LIMITS, (_, _) -> new CompletableFuture<>());
            assertThatThrownBy(() -> elsewhere.received(ByteBuffer.allocate(0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("called off its event loop");
        } finally {
            other.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private CompletableFuture<PingCPResponse> ping() {
        return peer.call(Services.PING_CP, PingCPRequest.getDefaultInstance(), Duration.ofSeconds(5));
    }

    private static Frame.Call call(int seq) {
        return new Frame.Call(PING, seq, 5_000, ByteString.EMPTY);
    }

    private void receive(Frame frame) {
        peer.received(ByteBuffer.wrap(FrameCodec.encode(frame)));
    }

    private static void assertFailed(CompletableFuture<?> call, LinkException.Kind kind, String text) {
        assertThat(call).isCompletedExceptionally();
        Throwable failure = call.exceptionNow();
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        assertThat(cause)
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.kind()).isEqualTo(kind));
        assertThat(cause).hasMessageStartingWith(text);
    }

    private static final class FakeWire implements Wire {
        final List<Frame> sent = new ArrayList<>();
        final List<CloseReason> closed = new ArrayList<>();
        long queued;
        boolean aborted;

        @Override
        public void send(byte[] message) {
            Received decoded = FrameCodec.decode(ByteBuffer.wrap(message));
            sent.add((Frame) decoded);
        }

        @Override
        public long queuedBytes() {
            return queued;
        }

        @Override
        public void close(CloseReason reason) {
            closed.add(reason);
        }

        @Override
        public void abort() {
            aborted = true;
        }
    }
}
