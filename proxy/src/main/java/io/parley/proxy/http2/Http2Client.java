package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.parley.proxy.config.Direction;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.Answers.Failure;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.FirstWords;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to a server of HTTP/2, with many requests at a time. */
public final class Http2Client implements Upstream, HttpLoop.Swept {
    private static final int MAX_STREAMS = 100;

    private final HttpLoop loop;
    private final Pool pool;
    private final Channel channel;
    private final Http2Link link;
    private final Http2Connection.PropertyKey key;
    private final Frames frames;
    private final FirstWords words = new FirstWords(Version.HTTP2);
    private final List<Runnable> untilSettled = new ArrayList<>(0);
    private final Pulse pulse = new Pulse();
    private boolean settled;
    private boolean leaving;
    private boolean silent;
    private int open;
    private int begun;
    private long idleSince;

    public Http2Client(HttpLoop loop, Pool pool, Channel channel) {
        this.loop = loop;
        this.pool = pool;
        this.channel = channel;
        this.frames = new Frames(new FrameBudget(loop::now));
        Http2Settings settings =
                Http2Settings.defaultSettings().pushEnabled(false).maxHeaderListSize(HttpLimits.DEFAULT.head());
        this.link = new Http2Link.Builder(false, settings, frames, offences()).create();
        this.key = link.connection().newKey();
        this.idleSince = loop.now();
    }

    /** Takes over the channel. */
    public void start() {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        link.connection().addListener(new Ends());
        link.connection().remote().flowController().listener(this::writable);
        loop.add(this);
        channel.closeFuture().addListener(_ -> {
            loop.remove(this);
            leave();
        });
        channel.pipeline().addLast(words, link);
        channel.config().setAutoRead(true);
    }

    private Http2Link.Offences offences() {
        return new Http2Link.Offences() {
            @Override
            public void counted(String kind) {
                loop.telemetry().error(Direction.OUTBOUND, "server-" + kind).increment();
            }

            @Override
            public void fatal(String kind) {
                counted(kind);
            }
        };
    }

    @Override
    public void sweep(long now) {
        boolean doubted = pulse.isInDoubt();
        switch (pulse.look(now, link.reads(), frames.messages(), begun, open > 0)) {
            case NOTHING -> {
                if (doubted && !pulse.isInDoubt() && !leaving) {
                    pool.offer(this);
                }
            }
            case ASK -> link.ping();
            case GIVE_UP -> {
                loop.telemetry().error(Direction.OUTBOUND, "server-silent").increment();
                silent = true;
                channel.close();
            }
        }
    }

    /** The clients decide how long it is needed. */
    @Override
    public void drain() {}

    private void leave() {
        leaving = true;
        pool.gone(this);
        settle();
    }

    /** Runs a task as soon as the server has told what it can do, or never will. */
    void onceSettled(Runnable task) {
        if (settled) {
            task.run();
        } else {
            untilSettled.add(task);
        }
    }

    private void settle() {
        settled = true;
        List.copyOf(untilSettled).forEach(Runnable::run);
        untilSettled.clear();
    }

    Http2Link link() {
        return link;
    }

    FrameBudget budget() {
        return frames.budget();
    }

    /** Whether the server takes WebSockets (RFC 8441). */
    boolean takesWebSockets() {
        return frames.connectProtocol;
    }

    @Override
    public ClientStream begin(Answers answers) {
        open++;
        begun++;
        idleSince = Long.MIN_VALUE;
        return new Http2ClientStream(this, answers);
    }

    /** The stream has its number. */
    void opened(int id, Http2ClientStream stream) {
        Http2Stream known = link.connection().stream(id);
        if (known != null) {
            known.setProperty(key, stream);
        }
    }

    /** A request is over. */
    void ended() {
        open--;
        if (open == 0) {
            idleSince = loop.now();
            if (leaving) {
                channel.close();
            }
        }
        if (!leaving) {
            pool.offer(this);
        }
    }

    @Override
    public boolean hasRoom() {
        return !leaving
                && !pulse.isInDoubt()
                && open < Math.min(MAX_STREAMS, link.connection().local().maxActiveStreams())
                && link.connection().local().canOpenStream();
    }

    @Override
    public boolean isOpen() {
        return channel.isActive() && !leaving;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public @Nullable String surprise() {
        return words.surprise();
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public long idleSince() {
        return idleSince;
    }

    private @Nullable Http2ClientStream stream(@Nullable Http2Stream stream) {
        return stream == null ? null : stream.getProperty(key);
    }

    private void writable(Http2Stream stream) {
        Http2ClientStream here = stream(stream);
        if (here != null && link.connection().remote().flowController().isWritable(stream)) {
            here.writable();
        }
    }

    private final class Frames extends Http2Frames {
        private boolean connectProtocol;

        Frames(FrameBudget budget) {
            super(budget);
        }

        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
            super.onSettingsRead(ctx, settings);
            connectProtocol |= Boolean.TRUE.equals(settings.connectProtocolEnabled());
            settle();
        }

        @Override
        void headers(int id, Http2Headers headers, boolean last) throws Http2Exception {
            Http2ClientStream here = stream(link.connection().stream(id));
            if (here != null) {
                String flaw = HeadCheck.answer(headers, HttpLimits.DEFAULT.fields());
                if (flaw != null) {
                    here.failed(Failure.BAD_ANSWER, "the server's answer: " + flaw);
                    throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, "malformed answer: %s", flaw);
                }
                here.headers(headers, last);
            }
        }

        @Override
        int data(int id, ByteBuf data, int padding, boolean last) {
            Http2ClientStream here = stream(link.connection().stream(id));
            return here == null ? data.readableBytes() + padding : here.received(data, padding, last);
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int id, long code) {
            Http2ClientStream here = stream(link.connection().stream(id));
            if (here != null) {
                boolean unseen = code == Http2Error.REFUSED_STREAM.code();
                here.failed(
                        unseen ? Failure.REFUSED : Failure.RESET,
                        "the server reset the stream: " + Http2Error.valueOf(code));
            }
        }
    }

    private final class Ends extends Http2ConnectionAdapter {
        @Override
        public void onGoAwayReceived(int lastStream, long code, ByteBuf debug) {
            leave();
            if (open == 0) {
                channel.close();
            }
        }

        @Override
        public void onStreamClosed(Http2Stream stream) {
            link.ended(stream);
            Http2ClientStream here = stream(stream);
            if (here != null) {
                stream.removeProperty(key);
                // Streams above the last one that a server names when it leaves were never looked at (RFC 9113 6.8).
                boolean unseen = link.connection().goAwayReceived()
                        && stream.id() > link.connection().local().lastStreamKnownByPeer();
                Failure otherwise = silent && !here.isAnswered() ? Failure.STALE : Failure.RESET;
                here.failed(
                        unseen ? Failure.REFUSED : otherwise, "the server closed the stream before the answer's end");
                here.closed();
            }
        }
    }
}
