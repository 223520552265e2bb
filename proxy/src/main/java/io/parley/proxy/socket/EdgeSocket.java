package io.parley.proxy.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.UnixChannelUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP connection, edge-triggered: the kernel is told of it once, and reports each change once. Netty's channel is level-triggered, asks the kernel a dozen
 * things that nobody wants to know, and has it forget a socket that is about to be closed, by a system call each: a connection that carries one message took twenty-nine of them,
 * nginx's sixteen, beside the waits.
 *
 * <p>What the kernel has reported stays {@code readable} here until it has been read. Nothing is lost: a read that did not fill its buffer has emptied the socket,
 * unless there was urgent data, at which the kernel ends a read, or the end, which only another read sees; and a write that was not taken whole has
 * the kernel report when there is room (nginx relies on the same).
 *
 * <p>Its state is its event loop's.
 */
public final class EdgeSocket extends EdgeDuplex {
    /** Buffers that are read before other sockets have their turn. */
    private static final int READS_IN_A_TURN = 4;

    /**
     * How much is read at once: as much as came last time, up to four times Netty's 64 KiB. A message of a round size and its head fit into one
     * read and one write then, and bulk takes fewer of both. Before it is written on, no more than Netty's 1 MiB is read in all.
     */
    public static final RecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(64, 2_048, 256 << 10).maxMessagesPerRead(READS_IN_A_TURN);

    private static final Logger LOG = LoggerFactory.getLogger(EdgeSocket.class);
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, READS_IN_A_TURN);

    private final EdgeSocketConfig config = new EdgeSocketConfig(this, descriptor());
    private final Reading reading = new Reading(this);
    private final Writing writing = new Writing(this);
    private final @Nullable InetSocketAddress local;
    private volatile @Nullable InetSocketAddress remote;
    private volatile boolean active;
    private @Nullable Dial dial;
    private @Nullable Shortcut shortcut;

    /** What the kernel is to report, and what it knows of that. */
    private int watched;

    private int told;

    /** It waits for its turn before the loop does. */
    private boolean queued;

    /** Accepted; {@code local} may be null, and is asked for then if somebody wants to know. */
    EdgeSocket(Channel listener, int number, InetSocketAddress remote, @Nullable InetSocketAddress local) {
        super(listener, new TcpDescriptor(number));
        this.remote = remote;
        this.local = local;
        this.active = true;
        this.watched = Events.ALWAYS;
    }

    private EdgeSocket(TcpDescriptor descriptor) {
        super(null, descriptor);
        this.local = null;
    }

    /** One that can be connected to there. */
    public static EdgeSocket to(InetSocketAddress address) {
        EdgeSocket socket = new EdgeSocket(TcpDescriptor.openFor(address.getAddress()));
        try {
            socket.config.set(opened -> opened.setTcpNoDelay(true));
            return socket;
        } catch (ChannelException e) {
            socket.unsafe().closeForcibly();
            throw e;
        }
    }

    /** Tells the shortcut of bytes, instead of the channel, until the socket is closed. */
    public void give(Shortcut way) {
        shortcut = way;
    }

    /** As {@code recv}: how many bytes; none if there are none now, -1 at the end. Past the channel, on the event loop. */
    public int receive(long address, int capacity) throws IOException {
        return descriptor().recvAddress(address, 0, capacity);
    }

    /** As {@code send}: how many bytes were taken. Past the channel, which must have nothing to send, on the event loop. */
    public int send(long address, int bytes) throws IOException {
        return descriptor().sendAddress(address, 0, bytes);
    }

    private final class Connection extends Handle {
        @Override
        public void connect(SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
            if (promise.isDone() || !ensureOpen(promise)) {
                return;
            }
            InetSocketAddress address = (InetSocketAddress) to;
            try {
                if (from != null) {
                    descriptor().bind(from);
                }
                boolean done = descriptor().connect(address);
                dial = new Dial(EdgeSocket.this, address, promise);
                watched = Events.ALWAYS | Events.ROOM;
                if (done) {
                    connected();
                } else {
                    dial.limit(eventLoop(), config.getConnectTimeoutMillis());
                }
                queue();
            } catch (IOException | RuntimeException e) {
                promise.tryFailure(annotateConnectException(e, to));
                close();
            }
        }

        void finishConnect(Dial pending) {
            try {
                if (descriptor().finishConnect()) {
                    connected();
                }
            } catch (IOException e) {
                dial = null;
                pending.end();
                pending.promise().tryFailure(annotateConnectException(e, pending.to()));
                close();
            }
        }

        @Override
        protected void flush0() {
            if (!writing.isFull()) {
                super.flush0();
            }
        }

        void thereIsRoom() {
            super.flush0();
        }
    }

    private Connection connection() {
        return (Connection) unsafe();
    }

    @Override
    protected Handle newUnsafe() {
        return new Connection();
    }

    private void connected() {
        Dial done = Objects.requireNonNull(dial);
        dial = null;
        done.end();
        remote = done.to();
        active = true;
        boolean heard = done.promise().trySuccess();
        pipeline().fireChannelActive();
        if (!heard) {
            closeNow();
        }
    }

    @Override
    void joined() {
        if (active) {
            queue();
        }
    }

    /** Has its turn before the loop waits. */
    private void queue() {
        if (!queued) {
            queued = true;
            epoll().callBeforeWait(this);
        }
    }

    /**
     * Called by the loop before it waits. Only here is the kernel told of a socket: what is reported before that is of a predecessor with the same number.
     *
     * @return how many events there were
     */
    int beforeWait() {
        queued = false;
        if (isOpen() && told != watched) {
            tell();
        }
        if (!isOpen() || !reading.isDue()) {
            return 0;
        }
        handle(0);
        return 1;
    }

    private void tell() {
        try {
            registration().submit(EpollIoOps.valueOf(watched));
            told = watched;
        } catch (UncheckedIOException e) {
            LOG.warn("a socket that the kernel does not watch is closed", e);
            closeNow();
        }
    }

    @Override
    void reported(int events) {
        if (told != 0) {
            handle(events);
        }
    }

    private void handle(int events) {
        epoll().time().begin();
        try {
            reading.reported(events);
            if (Events.has(events, Events.ROOM | Events.ERROR | Events.HANG_UP)) {
                roomReported(events);
            }
            if (isOpen() && active && reading.isDue()) {
                takeIn();
            }
            IOException failure = writing.failure();
            if (failure != null && isOpen() && !reading.isDue()) {
                pipeline().fireExceptionCaught(failure);
                closeNow();
            }
        } catch (RuntimeException e) {
            // One connection must not hold up, or end, the loop of all.
            LOG.warn("a connection failed in a way that nobody expected, and is reset", e);
            reset();
        } finally {
            epoll().time().end();
        }
    }

    private void roomReported(int events) {
        Dial pending = dial;
        if (pending != null) {
            // Only of one that has failed is there anything to ask.
            if (Events.has(events, Events.ERROR | Events.HANG_UP)) {
                connection().finishConnect(pending);
            } else {
                connected();
            }
        } else if (writing.goesOn()) {
            connection().thereIsRoom();
        }
    }

    private void takeIn() {
        if (isInputShutdown()) {
            reading.emptied();
            if (reading.hasFailed()) {
                pipeline().fireExceptionCaught(new IOException("the other side reset the connection"));
                closeNow();
            }
        } else if (!isTakenShort()) {
            reading.read();
            if (reading.isDue()) {
                queue();
            }
        }
    }

    /** Whether the shortcut has seen to the bytes, or they have to wait because it has stopped the reading. */
    private boolean isTakenShort() {
        if (shortcut == null || !reading.isEmptiedByShortRead()) {
            return false;
        }
        if (shortcut.read()) {
            reading.emptied();
            return true;
        }
        return !reading.isWanted();
    }

    @Override
    protected void doBeginRead() {
        reading.want();
        if (reading.isDue()) {
            queue();
        }
    }

    /** Nobody wants to read until somebody says so. */
    void stopReading() {
        if (isRegistered() && !eventLoop().inEventLoop()) {
            eventLoop().execute(() -> {
                if (!config.isAutoRead()) {
                    reading.stopIfNotAsked();
                }
            });
        } else {
            reading.stop();
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            throw new UnsupportedOperationException("a socket sends bytes, not " + message.getClass());
        }
        return UnixChannelUtil.isBufferCopyNeededForWrite(bytes) ? Gathering.direct(bytes, alloc()) : bytes;
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
        writing.write(waiting);
    }

    void flushLater() {
        eventLoop().execute(() -> connection().flush0());
    }

    void watchForRoom() {
        watched |= Events.ROOM;
        queue();
    }

    /** Nothing can be sent any more: only what has come is of interest. */
    void readToTheEnd() {
        reading.reported(Events.ERROR);
        queue();
    }

    boolean isBroken() {
        return writing.failure() != null;
    }

    @Override
    protected void doClose() throws Exception {
        active = false;
        Dial pending = dial;
        if (pending != null) {
            dial = null;
            pending.abandon();
        }
        super.doClose();
    }

    /** What was cut off must not look finished. */
    private void reset() {
        try {
            config.setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException e) {
            LOG.debug("closed, not reset", e);
        }
        closeNow();
    }

    @Override
    protected @Nullable InetSocketAddress localAddress0() {
        return local == null ? super.localAddress0() : local;
    }

    @Override
    protected @Nullable InetSocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    boolean isHalfClosureAllowed() {
        return config.isHalfClosureAllowed();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isActive() {
        return active;
    }
}
