package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of HTTP/2, either side. Flushes are put off to the end of the event loop's round, so that the answers of many streams
 * leave in one write.
 */
final class Http2Link extends Http2ConnectionHandler {
    /** What a connection may use before streams are counted (facts: 64 KiB a stream, 1 MiB a connection). */
    private static final int CONNECTION_WINDOW = 1 << 20;

    private static final int STREAM_WINDOW = 65_535;
    private static final int TURN_BYTES = 16 << 10;

    /** For all streams together. As much leaves in one write as fits below the upper mark. */
    private static final WriteBufferWaterMark BUFFER = new WriteBufferWaterMark(64 << 10, 256 << 10);

    private static final int MAX_QUEUED_CONTROL_FRAMES = 1_000;
    private static final int MAX_SMALL_CONTINUATIONS = 16;

    /** How Netty words it; the version is pinned, and h2spec holds it. */
    private static final String HEADERS_ON_NO_STREAM = "Received HEADERS frame for an unknown stream";

    private static final String SECOND_HEADERS = "received too many headers";
    private static final String SMALL_CONTINUATIONS = "small consecutive continuations";
    private static final String UNREAD_CONTROL_FRAMES = "outstanding control frames";

    /** What the peer sends back; any bytes would do. */
    private static final long PING = 0x7061726c6579L;

    private static final Logger LOG = LoggerFactory.getLogger(Http2Link.class);

    /** Told what a peer did that it should not have, in a word. */
    interface Offences {
        /** The connection goes on. */
        void counted(String kind);

        /** The connection ends for it. */
        void fatal(String kind);
    }

    /** Told that the peer has ended its output, and may still read. */
    interface InputEnd {
        void inputEnded();
    }

    private final ClosedStreams closed = new ClosedStreams();
    private final Offences offences;
    private final FrameBudget budget;
    private final FrameFollower follower;
    private final Runnable flush = this::flushNow;
    private @Nullable ChannelHandlerContext context;
    private @Nullable InputEnd inputEnd;
    private boolean flushing;
    private int reads;

    private Http2Link(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            Offences offences,
            FrameBudget budget) {
        // Closed is closed. Netty would wait for the streams that are open, and those of a peer that has vanished stay
        // so.
        super(decoder, encoder, settings, true);
        this.offences = offences;
        this.budget = budget;
        this.follower = new FrameFollower(
                connection().isServer() ? Http2CodecUtil.connectionPrefaceBuf().readableBytes() : 0);
    }

    /** How far the peer is with what it sends. */
    FrameFollower follower() {
        return follower;
    }

    /** How often bytes have come from the peer. */
    int reads() {
        return reads;
    }

    /** Tells of the end of the peer's output. Where nobody asks, the channel must not allow half-closure. */
    void onInputEnd(InputEnd told) {
        inputEnd = told;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        super.userEventTriggered(ctx, event);
        if (event == ChannelInputShutdownEvent.INSTANCE && inputEnd != null) {
            inputEnd.inputEnded();
        }
    }

    /** Asks the peer whether it is there. */
    void ping() {
        encoder().writePing(context(), false, PING, context().newPromise());
        flushSoon();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            reads++;
            follower.follow(bytes);
        }
        super.channelRead(ctx, message);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        ctx.channel().config().setWriteBufferWaterMark(BUFFER);
        ctx.pipeline().addBefore(ctx.name(), null, new FrameGathering());
        super.handlerAdded(ctx);
        Http2Stream whole = connection().connectionStream();
        decoder().flowController().incrementWindowSize(whole, CONNECTION_WINDOW - STREAM_WINDOW);
    }

    ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline yet");
        }
        return context;
    }

    /** Sends what is written before the loop's next round. */
    void flushSoon() {
        if (!flushing) {
            flushing = true;
            context().executor().execute(flush);
        }
    }

    private void flushNow() {
        flushing = false;
        if (context != null && !context.isRemoved()) {
            flush(context);
        }
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception error) {
        if (error != null) {
            offences.fatal(word(error));
        } else if (!(cause instanceof IOException)) {
            LOG.error("a connection of HTTP/2 is ended for a mistake of this program", cause);
            offences.fatal("internal-error");
        }
        super.onConnectionError(ctx, outbound, cause, error);
    }

    private static String word(Http2Exception error) {
        String message = String.valueOf(error.getMessage());
        if (error instanceof FloodException flood) {
            return flood.word();
        }
        if (message.contains(SMALL_CONTINUATIONS)) {
            return "continuation-flood";
        }
        return message.contains(UNREAD_CONTROL_FRAMES)
                ? "unread-control-frames"
                : error.error().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private boolean isOneTooMany(ChannelHandlerContext ctx) {
        try {
            budget.spend(FrameBudget.Kind.MADE_RESET);
            return false;
        } catch (Http2Exception e) {
            onConnectionError(ctx, false, e, e);
            return true;
        }
    }

    /**
     * RFC 9113 5.1: HEADERS on a stream that has ended, or with a number below one that was used, ends the connection. Netty resets the
     * stream, which tells the peer nothing. What was under way when this side reset the stream is passed over.
     */
    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
        if (!outbound && isOneTooMany(ctx)) {
            return;
        }
        if (error instanceof Http2Exception.HeaderListSizeException) {
            offences.counted("head-too-large");
        }
        String message = String.valueOf(error.getMessage());
        Http2Stream stream = connection().stream(error.streamId());
        boolean ended = stream != null && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE;
        if (!outbound && ended && message.contains(SECOND_HEADERS)) {
            // To Netty it is one field section too many; the peer has ended the stream, which is the graver mistake.
            super.onStreamError(ctx, false, cause, (Http2Exception.StreamException)
                    Http2Exception.streamError(error.streamId(), Http2Error.STREAM_CLOSED, "%s", message));
            return;
        }
        if (outbound || !message.startsWith(HEADERS_ON_NO_STREAM)) {
            super.onStreamError(ctx, outbound, cause, error);
            return;
        }
        switch (closed.endOf(error.streamId())) {
            case RESET_BY_US -> {}
            case USUAL ->
                onConnectionError(
                        ctx, false, cause, Http2Exception.connectionError(Http2Error.STREAM_CLOSED, "%s", message));
            case UNKNOWN ->
                onConnectionError(
                        ctx, false, cause, Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "%s", message));
        }
    }

    /** A connection that broke is closed; there is nothing to be told to anybody. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
        if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) == null) {
            ctx.channel().close();
        } else {
            super.exceptionCaught(ctx, cause);
        }
    }

    /** Notes the end of a stream. */
    void ended(Http2Stream stream) {
        closed.add(stream.id(), stream.isResetSent());
    }

    /** Consumes what was passed on, so that the peer may send as much again. */
    void consumed(Http2Stream stream, int bytes) {
        if (bytes > 0) {
            try {
                if (connection().local().flowController().consumeBytes(stream, bytes)) {
                    flushSoon();
                }
            } catch (Http2Exception e) {
                onError(context(), true, e);
            }
        }
    }

    /** Makes one of these. */
    static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<Http2Link, Builder> {
        private final Offences offences;
        private final FrameBudget budget;

        Builder(boolean server, Http2Settings settings, Http2Frames frames, Offences offences) {
            this.offences = offences;
            this.budget = frames.budget();
            connection(connection(server));
            initialSettings(settings.initialWindowSize(STREAM_WINDOW));
            frameListener(frames);
            validateHeaders(true);
            validateRequiredPseudoHeaders(true);
            encoderEnforceMaxQueuedControlFrames(MAX_QUEUED_CONTROL_FRAMES);
            decoderEnforceMaxSmallContinuationFrames(MAX_SMALL_CONTINUATIONS);
            // Each of these has a counter of its own in this package, which Netty's do not.
            decoderEnforceMaxConsecutiveEmptyDataFrames(0);
            decoderEnforceMaxRstFramesPerWindow(0, 0);
            encoderEnforceMaxRstFramesPerWindow(0, 0);
            gracefulShutdownTimeoutMillis(30_000);
        }

        /** Streams take turns; weights, which RFC 9113 5.3 has done away with, would be computed for every frame. */
        private static Http2Connection connection(boolean server) {
            var connection = new DefaultHttp2Connection(server);
            var turns = new UniformStreamByteDistributor(connection);
            turns.minAllocationChunk(TURN_BYTES);
            connection.remote().flowController(new DefaultHttp2RemoteFlowController(connection, turns));
            return connection;
        }

        Http2Link create() {
            return build();
        }

        @Override
        protected Http2Link build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            return new Http2Link(decoder, encoder, settings, offences, budget);
        }
    }
}
