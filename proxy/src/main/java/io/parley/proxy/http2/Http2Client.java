package io.parley.proxy.http2;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.parley.proxy.Direction;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.FirstWords;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import io.parley.wire.http.Fields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to a server of HTTP/2, with many requests at a time. */
public final class Http2Client implements Upstream, HttpLoop.Swept {
    private static final int MAX_STREAMS = 100;

    /** As for clients. There is no listener here that would say otherwise. */
    private static final long HEAD_NANOS = HttpTimeouts.DEFAULT.head().toNanos();

    private final HttpLoop loop;
    private final Pool pool;
    private final Channel channel;
    private final Http2Link link;
    private final FrameBudget budget;
    private final FirstWords words = new FirstWords(Version.HTTP2);
    private final List<Runnable> untilSettled = new ArrayList<>(0);
    private final Pulse pulse = new Pulse();
    private final int expectedStreams;
    private int peersStreams = Integer.MAX_VALUE;
    private boolean takesWebSockets;
    private boolean settled;
    private boolean leaving;
    private boolean givenUp;
    private int open;
    private int begun;
    private long idleSince;

    public Http2Client(HttpLoop loop, Pool pool, Channel channel) {
        this.loop = loop;
        this.pool = pool;
        this.channel = channel;
        this.expectedStreams = pool.streams();
        this.budget = new FrameBudget(loop::now);
        this.link = new Http2Link(new Owner(), budget);
        this.idleSince = loop.now();
    }

    /** Takes over the channel. */
    public void start() {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        loop.add(this);
        channel.closeFuture().addListener(_ -> {
            loop.remove(this);
            leave();
        });
        channel.pipeline().addLast(words, link);
        channel.config().setAutoRead(true);
    }

    @Override
    public void broke() {
        channel.close();
    }

    /** A server that goes on with a frame, a byte at a time, is there whenever it is asked: so it is not asked. */
    @Override
    public void sweep(long now) {
        if (givenUp) {
            // With TLS the end may take its time.
            return;
        }
        if (link.midwayFor(now) > HEAD_NANOS) {
            giveUp("server-head-timeout");
            return;
        }
        boolean doubted = pulse.isInDoubt();
        switch (pulse.look(now, link.reads(), budget.messages(), begun, open > 0)) {
            case NOTHING -> {
                if (doubted && !pulse.isInDoubt() && !leaving) {
                    pool.offer(this);
                }
            }
            case ASK -> link.ping();
            case GIVE_UP -> giveUp("server-silent");
        }
    }

    /** Nothing more is to be expected: what has not been answered may never have been seen. */
    private void giveUp(String cause) {
        loop.telemetry().error(Direction.OUTBOUND, cause).increment();
        givenUp = true;
        words.giveUp();
        leave();
        channel.close();
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

    /** The task is not to be run any more. */
    void forget(Runnable task) {
        untilSettled.remove(task);
    }

    /** Runs a task when what is under way is done. */
    void soon(Runnable task) {
        channel.eventLoop().execute(task);
    }

    /** Whether it takes no more requests. */
    boolean isLeaving() {
        return leaving;
    }

    /** Whether the server has ever answered on it. */
    boolean hasAnswered() {
        return budget.messages() > 0;
    }

    private void settle() {
        settled = true;
        List.copyOf(untilSettled).forEach(Runnable::run);
        untilSettled.clear();
    }

    /** Whether the server ended the connection without a word. */
    boolean isUntaken() {
        return words.isHungUp();
    }

    Http2Link link() {
        return link;
    }

    /** Whether the server itself is spoken to by TLS. */
    boolean isSecured() {
        return pool.endpoint().endpoint().tls() != null;
    }

    /** Whether the server takes WebSockets (RFC 8441). */
    boolean takesWebSockets() {
        return takesWebSockets;
    }

    @Override
    public ClientStream begin(Answers answers) {
        open++;
        begun++;
        idleSince = Long.MIN_VALUE;
        return new Http2ClientStream(this, answers);
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
        return isOpen()
                && open < Math.min(MAX_STREAMS, settled ? peersStreams : expectedStreams)
                && link.streams().hasNumbers();
    }

    @Override
    public boolean isOpen() {
        return channel.isActive() && !leaving && !pulse.isInDoubt();
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

    /** Whether the connection was given up, as nobody was there, or somebody who does not get on. */
    boolean isGivenUp() {
        return givenUp;
    }

    private final class Owner implements LinkOwner {
        @Override
        public boolean isServer() {
            return false;
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public int[] settings() {
            return new int[] {Wire.ENABLE_PUSH, 0, Wire.MAX_HEADER_LIST_SIZE, maxHead()};
        }

        @Override
        public int maxHead() {
            return HttpLimits.DEFAULT.head();
        }

        @Override
        public int maxStreams() {
            return 0;
        }

        @Override
        public Http2Stream begins(int id, Fields head, @Nullable String flaw, boolean last) throws Http2Fault {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "a server begins no streams");
        }

        @Override
        public void begun(Http2Stream stream, boolean last) {}

        @Override
        public void resetCame() throws Http2Fault {
            budget.spend(FrameBudget.Kind.RESET);
        }

        @Override
        public void refusedTooMany() {}

        @Override
        public void peersStreams(int most) {
            peersStreams = most;
        }

        @Override
        public void takesWebSockets() {
            takesWebSockets = true;
        }

        @Override
        public void settled() {
            settle();
            pool.streams(peersStreams);
            // There may be room that there was none of.
            pool.offer(Http2Client.this);
        }

        /** Streams above the last one that a server names when it leaves were never looked at (RFC 9113 6.8). */
        @Override
        public void goneAway(int lastStream) {
            leave();
            link.forEach(stream -> {
                if (stream.id() > lastStream) {
                    stream.gaveUp(ErrorCode.REFUSED_STREAM.number(), null);
                    link.closeNow(stream);
                }
            });
            if (open == 0) {
                channel.close();
            }
        }

        @Override
        public void heard() {}

        @Override
        public void inputEnded() {
            channel.close();
        }

        @Override
        public void counted(String kind) {
            loop.telemetry().error(Direction.OUTBOUND, "server-" + kind).increment();
        }

        @Override
        public void fatal(String kind) {
            counted(kind);
            leave();
        }
    }
}
