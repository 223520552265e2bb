package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Departure;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.HttpConfig;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's connection of HTTP/2. */
public final class Http2Server implements HttpLoop.Swept {
    private static final int RATIO_RESETS = 500;

    private final HttpLoop loop;
    private final Connection connection;
    private final Way way;
    private final Departure departure;
    private final Channel channel;
    private final Http2Link link;
    private final Http2Connection.PropertyKey key;
    private final Frames frames;
    private long idleSince;
    private long midwaySince;
    private int wholeThen = -1;
    private boolean lastNamed;
    private boolean inputEnded;
    private long opened;
    private long resets;

    public Http2Server(HttpLoop loop, Connection connection, Way way) {
        this.loop = loop;
        this.connection = connection;
        this.way = way;
        this.departure = new Departure(way);
        this.channel = connection.channel();
        this.frames = new Frames(new FrameBudget(loop::now));
        HttpConfig config = way.config();
        Http2Settings settings = Http2Settings.defaultSettings()
                .maxConcurrentStreams(config.limits().streams())
                .maxHeaderListSize(config.limits().head())
                .connectProtocolEnabled(true);
        this.link = new Http2Link.Builder(true, settings, frames, offences()).create();
        this.key = link.connection().newKey();
        this.idleSince = loop.now();
    }

    /** Takes over the connection. */
    public void start() {
        link.connection().addListener(new Ends());
        link.connection().remote().flowController().listener(this::writable);
        link.onInputEnd(this::inputEnded);
        loop.add(this);
        channel.closeFuture().addListener(_ -> loop.remove(this));
        connection.handTo(link);
        if (channel.isActive()) {
            channel.config().setAutoRead(true);
        }
        if (channel instanceof DuplexChannel duplex && duplex.isInputShutdown()) {
            inputEnded();
        }
    }

    /** The client sends nothing more: what it has asked for is still answered, and what it has not sent whole is given up. */
    private void inputEnded() {
        if (!inputEnded) {
            inputEnded = true;
            forEachStream(Http2ServerStream::inputEnded);
            leaveIfOver();
        }
    }

    private void leaveIfOver() {
        if (inputEnded && link.connection().numActiveStreams() == 0 && channel.isActive()) {
            connection.ends("client-closed", "");
            goAway(link.connection().remote().lastStreamCreated());
            channel.close();
        }
    }

    private void forEachStream(Consumer<Http2ServerStream> task) {
        try {
            link.connection().forEachActiveStream(stream -> {
                Http2ServerStream here = stream(stream);
                if (here != null) {
                    task.accept(here);
                }
                return true;
            });
        } catch (Http2Exception e) {
            link.onError(link.context(), true, e);
        }
    }

    private Http2Link.Offences offences() {
        return new Http2Link.Offences() {
            @Override
            public void counted(String kind) {
                count(kind);
            }

            @Override
            public void fatal(String kind) {
                count(kind);
                connection.ends("http2-" + kind, "");
            }
        };
    }

    /** Notes something that the client should not have done. */
    void count(String kind) {
        loop.telemetry().abuse(connection.direction(), kind).increment();
    }

    HttpLoop loop() {
        return loop;
    }

    Connection connection() {
        return connection;
    }

    Way way() {
        return way;
    }

    Http2Link link() {
        return link;
    }

    boolean isBelieved() {
        return connection.isBelieved(way.config().forwarding());
    }

    FrameBudget budget() {
        return frames.budget();
    }

    private @Nullable Http2ServerStream stream(Http2Stream stream) {
        return stream.getProperty(key);
    }

    private void writable(Http2Stream stream) {
        Http2ServerStream here = stream(stream);
        if (here != null && link.connection().remote().flowController().isWritable(stream)) {
            here.writable();
        }
    }

    @Override
    public void sweep(long now) {
        Http2Connection streams = link.connection();
        if (departure.beginsByItself(now)) {
            goAway(Integer.MAX_VALUE);
        }
        if (departure.isDue(now) && !lastNamed) {
            lastNamed = true;
            goAway(streams.remote().lastStreamCreated());
        }
        if (isHeadTooSlow(now)) {
            count("head-timeout");
            connection.ends("http2-head-timeout", "");
            goAway(streams.remote().lastStreamCreated());
            channel.close();
        } else if (streams.numActiveStreams() > 0) {
            idleSince = now;
            forEachStream(here -> here.sweep(now));
            if (inputEnded) {
                forEachStream(Http2ServerStream::endIfStuck);
            }
        } else if (isIdleTooLong(now) || lastNamed) {
            connection.ends("idle", "");
            if (!lastNamed) {
                goAway(streams.remote().lastStreamCreated());
            }
            channel.close();
        }
    }

    /** What no stream has yet cannot be given up as a stream. Content that takes its time is looked after by its stream. */
    private boolean isHeadTooSlow(long now) {
        FrameFollower follower = link.follower();
        boolean midway = link.connection().numActiveStreams() > 0 ? follower.isInHead() : follower.isMidway();
        if (!midway || follower.whole() != wholeThen) {
            wholeThen = follower.whole();
            midwaySince = now;
            return false;
        }
        Duration time = way.config().timeouts().head();
        return !time.isZero() && now - midwaySince > time.toNanos();
    }

    private boolean isIdleTooLong(long now) {
        Duration idle = way.config().timeouts().idle();
        return !idle.isZero() && now - idleSince > idle.toNanos();
    }

    /** RFC 9113 6.8: first a warning that names no stream, so that none that is on its way is lost; later the last that was taken. */
    @Override
    public void drain() {
        departure.begin(loop.now());
        goAway(Integer.MAX_VALUE);
    }

    private void goAway(int lastStream) {
        ChannelHandlerContext context = link.context();
        if (channel.isActive()) {
            link.goAway(context, lastStream, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, context.newPromise());
            link.flush(context);
        }
    }

    private final class Frames extends Http2Frames {
        Frames(FrameBudget budget) {
            super(budget);
        }

        @Override
        void headers(int id, Http2Headers headers, boolean last) throws Http2Exception {
            Http2Stream stream = link.connection().stream(id);
            Http2ServerStream known = stream(stream);
            if (known != null) {
                if (known.isRequestDone()) {
                    throw Http2Exception.streamError(
                            id, Http2Error.STREAM_CLOSED, "HEADERS after the end of a request");
                }
                refuseIf(HeadCheck.trailers(headers, way.config().limits().fields()), id);
                known.trailers(headers, last);
                return;
            }
            opened++;
            budget().streamOpened();
            refuseIf(HeadCheck.request(headers, way.config().limits().fields()), id);
            Http2ServerStream fresh = new Http2ServerStream(Http2Server.this, stream, headers);
            stream.setProperty(key, fresh);
            fresh.begin(last);
        }

        private void refuseIf(@Nullable String flaw, int id) throws Http2Exception {
            if (flaw != null) {
                count(flaw);
                throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, "malformed request: %s", flaw);
            }
        }

        @Override
        int data(int id, ByteBuf data, int padding, boolean last) {
            connection.received(data.readableBytes());
            Http2Stream stream = link.connection().stream(id);
            Http2ServerStream here = stream == null ? null : stream(stream);
            return here == null ? data.readableBytes() + padding : here.received(data, padding, last);
        }

        /** One link carries the requests of all clients behind a peer proxy, and cancelled calls are usual there. */
        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int id, long code) throws Http2Exception {
            if (connection.peer() == null) {
                budget().spend(FrameBudget.Kind.RESET);
            } else if (++resets > RATIO_RESETS && resets * 2 > opened) {
                throw new FloodException("rapid-reset");
            }
        }
    }

    private final class Ends extends Http2ConnectionAdapter {
        @Override
        public void onStreamClosed(Http2Stream stream) {
            link.ended(stream);
            Http2ServerStream here = stream(stream);
            if (here != null) {
                stream.removeProperty(key);
                here.closed();
            }
            if (inputEnded) {
                // Not from within: whoever ended the stream may still have to say so.
                channel.eventLoop().execute(Http2Server.this::leaveIfOver);
            }
        }
    }
}
