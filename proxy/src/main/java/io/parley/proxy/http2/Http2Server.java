package io.parley.proxy.http2;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Departure;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.Unsent;
import io.parley.proxy.exchange.Way;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's connection of HTTP/2. */
public final class Http2Server implements HttpLoop.Swept {
    private static final int RATIO_RESETS = 500;
    private static final int WARNING_SWEEPS = 3;

    private final HttpLoop loop;
    private final Connection connection;
    private final Way way;
    private final Departure departure;
    private final Channel channel;
    private final Http2Link link;
    private final FrameBudget budget;
    private final Unsent unsent;
    private long idleSince;
    private boolean lastNamed;

    /** Sweeps until the client is told that it will be left; 0 if it has been, or will not be. */
    private int warningIn;

    /** As the client was told at the beginning: a limit that is lowered later would refuse it what it was promised. */
    private final int maxStreams;

    private int mostStreams;
    private boolean turnedAway;
    private boolean inputEnded;
    private long opened;
    private long resets;

    public Http2Server(HttpLoop loop, Connection connection, Way way) {
        this.loop = loop;
        this.connection = connection;
        this.way = way;
        this.departure = new Departure(way);
        this.maxStreams = way.config().limits().streams();
        this.channel = connection.channel();
        this.unsent = new Unsent(channel);
        this.budget = new FrameBudget(loop::now);
        this.link = new Http2Link(new Owner(), budget);
        this.idleSince = loop.now();
    }

    /** Takes over the connection. */
    public void start() {
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
        if (inputEnded && link.busyStreams() == 0 && channel.isActive()) {
            connection.ends("client-closed", "");
            link.goAway(link.streams().last());
            channel.close();
        }
    }

    private void forEachStream(Consumer<Http2ServerStream> task) {
        link.forEach(stream -> task.accept((Http2ServerStream) stream));
    }

    /** Notes something that the client should not have done. */
    void count(String kind) {
        loop.abuse(connection, kind);
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

    /**
     * Whether the client is nobody of ours. Cancelled calls are usual on the link of a peer proxy, which carries the requests of all clients
     * behind it, and on that of the application beside this one, which has deadlines for its calls: there they count when most are called
     * off, and even then only if many are at a time. A stream that is read for a day has no other end.
     */
    private boolean isStranger() {
        return connection.peer() == null && !isBelieved();
    }

    /** One of the streams is no more. */
    void streamClosed() {
        if (inputEnded) {
            // Not from within: whoever ended the stream may still have to say so.
            channel.eventLoop().execute(this::leaveIfOver);
        }
    }

    @Override
    public void sweep(long now) {
        Streams streams = link.streams();
        if (warningIn > 0 && --warningIn == 0) {
            link.goAway(Integer.MAX_VALUE);
        }
        if (departure.beginsByItself(now)) {
            warningIn = WARNING_SWEEPS;
        }
        if (departure.isDue(now) && !lastNamed) {
            lastNamed = true;
            link.goAway(streams.last());
        }
        if (isHeadTooSlow(now)) {
            count("head-timeout");
            connection.ends("http2-head-timeout", "");
            link.goAway(streams.last());
            channel.close();
        } else if (unsent.isStuck(now, way.config().timeouts().untaken())) {
            count("answer-timeout");
            connection.ends("http2-answer-timeout", "");
            Unsent.cutOff(channel);
        } else if (link.busyStreams() > 0) {
            idleSince = now;
            forEachStream(here -> here.sweep(now));
            if (inputEnded) {
                forEachStream(Http2ServerStream::endIfStuck);
            }
        } else if (inputEnded) {
            leaveIfOver();
        } else if (isIdleTooLong(now) || lastNamed) {
            connection.ends("idle", "");
            if (!lastNamed) {
                link.goAway(streams.last());
            }
            channel.close();
        }
    }

    /** What no stream has yet cannot be given up as a stream. */
    private boolean isHeadTooSlow(long now) {
        Duration time = way.config().timeouts().head();
        return link.midwayFor(now) > time.toNanos() && !time.isZero();
    }

    /** Whether a client that takes nothing of what it was answered does so for too long. */
    boolean isUnreadTooLong(long nanos) {
        return nanos > way.config().timeouts().untaken().toNanos();
    }

    private boolean isIdleTooLong(long now) {
        Duration idle = way.config().timeouts().idle();
        return !idle.isZero() && now - idleSince > idle.toNanos();
    }

    /** RFC 9113 6.8: first a warning that names no stream, so that none that is on its way is lost; later the last that was taken. */
    @Override
    public void drain() {
        departure.begin(loop.now());
        warningIn = WARNING_SWEEPS;
    }

    @Override
    public void broke() {
        channel.close();
    }

    /**
     * Warns before its time as soon as the client has as many requests under way as it ever had: then it has read what it was answered.
     * One that is warned together with an answer may have begun another request for that, and would have to give it up unsent.
     */
    private void warnIfItHasReadAll() {
        if (warningIn > 0 && link.streams().count() >= mostStreams) {
            warningIn = 0;
            link.goAway(Integer.MAX_VALUE);
        }
    }

    /** One that may not come in has been told so: what it asks next is for another connection, which is judged anew. */
    private void turnAwayIfDenied() {
        if (connection.isDenied() && opened > 0 && !turnedAway) {
            turnedAway = true;
            link.goAway(Integer.MAX_VALUE);
        }
    }

    private final class Owner implements LinkOwner {
        @Override
        public boolean isServer() {
            return true;
        }

        /** A member's link carries the requests of all clients behind it. */
        @Override
        public boolean isShared() {
            return connection.peer() != null;
        }

        @Override
        public int[] settings() {
            return new int[] {
                Wire.MAX_CONCURRENT_STREAMS, maxStreams(),
                Wire.MAX_HEADER_LIST_SIZE, maxHead(),
                Wire.ENABLE_CONNECT_PROTOCOL, 1
            };
        }

        @Override
        public int maxHead() {
            return way.config().limits().head();
        }

        @Override
        public int maxStreams() {
            return maxStreams;
        }

        @Override
        public Http2Stream begins(int id, Fields head, @Nullable String flaw, boolean last) throws Http2Fault {
            opened++;
            budget.streamOpened();
            String wrong =
                    flaw == null ? HeadCheck.request(head, way.config().limits().fields(), isBelieved()) : flaw;
            long length = wrong == null ? HeadCheck.length(head) : 0;
            Http2ServerStream stream = new Http2ServerStream(Http2Server.this, head);
            if (wrong == null && last && length > 0) {
                wrong = "content-length";
            }
            if (wrong == null && last && head.contains(Fields.PROTOCOL)) {
                wrong = "connect"; // a tunnel that has ended before it begins
            }
            if (wrong != null) {
                stream.drop(wrong);
            }
            refuseIf(wrong, id);
            stream.expect(length);
            return stream;
        }

        @Override
        public void begun(Http2Stream stream, boolean last) {
            mostStreams = Math.max(mostStreams, link.streams().count());
            ((Http2ServerStream) stream).begin(last);
        }

        @Override
        public void resetCame() throws Http2Fault {
            resets++;
            if (isStranger() || (resets > RATIO_RESETS && resets * 2 > opened)) {
                budget.spend(FrameBudget.Kind.RESET);
            }
        }

        /** It is left when what it has under way is over, as if it had to go for another reason: a grave word ends all of it in some clients. */
        @Override
        public void refusedTooMany() {
            count("refused-streams");
            connection.ends("http2-refused-streams", "");
            lastNamed = true;
            link.goAway(link.streams().last());
        }

        @Override
        public void peersStreams(int most) {}

        @Override
        public void takesWebSockets() {}

        @Override
        public void settled() {}

        @Override
        public void goneAway(int lastStream) {}

        @Override
        public void heard() {
            warnIfItHasReadAll();
            turnAwayIfDenied();
        }

        @Override
        public void inputEnded() {
            Http2Server.this.inputEnded();
        }

        @Override
        public void counted(String kind) {
            count(kind);
        }

        @Override
        public void fatal(String kind) {
            count(kind);
            connection.ends("http2-" + kind, "");
        }
    }

    /** Refuses a request in which something is wrong. */
    void refuseIf(@Nullable String flaw, int id) throws Http2Fault {
        if (flaw != null) {
            count(flaw);
            throw Http2Fault.ofStream(id, ErrorCode.PROTOCOL_ERROR, "malformed request: " + flaw);
        }
    }
}
