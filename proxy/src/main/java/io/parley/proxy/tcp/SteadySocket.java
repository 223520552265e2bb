package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket between Netty's channel, which sees it as its registration, and Netty's epoll, which sees it as the channel. It keeps what the channel waits for and what
 * the kernel has reported; what is in both is the channel's.
 *
 * <p>The kernel reports a change once. What it reports of a socket that does not wait for it stays here until it does, and so do bytes that may be left because
 * the channel has read as much as it reads in one turn. Nothing else is lost: a read that did not fill its buffer has emptied the socket, unless there was urgent data, at
 * which the kernel ends a read; and a write that was not taken has the kernel report the next time when there is room.
 *
 * <p>Listeners and sockets of datagrams are told to the kernel as their channels say.
 */
@SuppressWarnings("try") // Netty declares that closing may be interrupted.
final class SteadySocket implements IoRegistration, EpollIoHandle {
    private static final Logger LOG = LoggerFactory.getLogger(SteadySocket.class);

    private static final int IN = EpollIoOps.EPOLLIN.value();
    private static final int OUT = EpollIoOps.EPOLLOUT.value();
    private static final int ERROR = EpollIoOps.EPOLLERR.value();
    private static final int END = EpollIoOps.EPOLLRDHUP.value();
    private static final int EDGES = EpollIoOps.EPOLLET.value();

    /** EPOLLPRI, for which Netty has no name. */
    private static final int URGENT = 0x2;

    /** What the kernel is to report of every connection. Room for more bytes is added when a channel first waits for it, and stays. */
    private static final int ALWAYS = IN | URGENT | END | EDGES;

    private static final EpollIoEvent READABLE = () -> EpollIoOps.EPOLLIN;

    private final SteadyEpoll epoll;
    private final EpollIoHandle channel;
    private final int number;
    private @Nullable IoRegistration registration;
    private @Nullable Shortcut shortcut;
    private int wanted;
    private int told;
    private int reported;
    private boolean unsettled;

    /** Whether there was ever urgent data: from then on a short read may leave some. */
    private boolean urgent;

    SteadySocket(SteadyEpoll epoll, EpollIoHandle channel) {
        this.epoll = epoll;
        this.channel = channel;
        this.number = channel.fd().intValue();
    }

    void registeredAs(IoRegistration netty) {
        registration = netty;
    }

    private IoRegistration registration() {
        return Objects.requireNonNull(registration);
    }

    int number() {
        return number;
    }

    boolean isOf(UnixChannel other) {
        return channel.equals(other.unsafe());
    }

    void give(Shortcut way) {
        shortcut = way;
    }

    /** The channel waits for something else from now on. */
    @Override
    public long submit(IoOps ops) {
        if (!epoll.isHere()) {
            throw new IllegalStateException("called off its event loop: " + Thread.currentThread());
        }
        int next = ((EpollIoOps) ops).value();
        if ((next & ~wanted & OUT) != 0) {
            // It waits because the kernel has just taken no more, so what was reported before is out of date.
            reported &= ~OUT;
        }
        wanted = next;
        look();
        return next;
    }

    /** Settles soon what there is to settle, if there is anything. */
    private void look() {
        if (!unsettled && (toTell() != told || due() != 0)) {
            unsettled = true;
            epoll.settleSoon(this);
        }
    }

    /** Only a connection's channel waits for the end of its input, from the start. */
    private int toTell() {
        boolean connection = ((wanted | told) & END) != 0;
        return connection ? told | wanted | ALWAYS : wanted;
    }

    private int due() {
        return reported & (wanted | ERROR);
    }

    /**
     * Called by the loop before it waits.
     *
     * @return how many events the channel was told of
     */
    int settle() {
        unsettled = false;
        if (!registration().isValid()) {
            return 0;
        }
        int ops = toTell();
        if (ops != told) {
            tell(ops);
        }
        if (due() == 0 || !registration().isValid()) {
            return 0;
        }
        deliver(registration());
        return 1;
    }

    private void tell(int ops) {
        try {
            registration().submit(EpollIoOps.valueOf(ops));
            told = ops;
        } catch (UncheckedIOException e) {
            LOG.warn("a socket that the kernel does not watch is closed", e);
            closeNow();
        }
    }

    /** What was cut off must not look finished. */
    private void reset() {
        try {
            ((Socket) channel.fd()).setSoLinger(0);
        } catch (IOException e) {
            LOG.debug("closed, not reset", e);
        }
        closeNow();
    }

    private void closeNow() {
        try {
            close();
        } catch (Exception e) {
            LOG.warn("it could not be closed", e);
        }
    }

    /** The kernel reports something. */
    @Override
    public void handle(IoRegistration netty, IoEvent event) {
        if (told == 0) {
            // Of a predecessor with the same number, which was closed after the kernel had reported it.
            return;
        }
        if ((told & EDGES) == 0) {
            channel.handle(netty, event);
            return;
        }
        int ops = ((EpollIoEvent) event).ops().value();
        reported |= ops;
        urgent |= (ops & URGENT) != 0;
        if (due() != 0) {
            deliver(netty);
        }
    }

    /** Tells the channel, or the shortcut, what is due. */
    private void deliver(IoRegistration netty) {
        int due = due();
        reported &= ~due;
        epoll.time().begin();
        try {
            if (due != IN || !isTakenShort()) {
                tellChannel(netty, due);
            }
        } catch (RuntimeException e) {
            // One connection must not hold up, or end, the loop of all.
            LOG.warn("a connection failed in a way that nobody expected, and is reset", e);
            reset();
        } finally {
            epoll.time().end();
        }
    }

    /** Whether the shortcut has seen to the bytes, or they have to wait because it has stopped the reading. */
    private boolean isTakenShort() {
        if (shortcut == null || urgent) {
            return false;
        }
        if (shortcut.read()) {
            return true;
        }
        if ((wanted & IN) != 0) {
            return false;
        }
        reported |= IN;
        return true;
    }

    private void tellChannel(IoRegistration netty, int due) {
        channel.handle(netty, due == IN ? READABLE : new Event(EpollIoOps.valueOf(due)));
        if ((due & IN) != 0 && mayHaveMore()) {
            reported |= IN;
            look();
        }
    }

    private record Event(EpollIoOps ops) implements EpollIoEvent {}

    /** A channel stops reading after some buffers, or when it is told to. */
    private boolean mayHaveMore() {
        var reads = ((Channel.Unsafe) channel).recvBufAllocHandle();
        return reads.lastBytesRead() > 0 && (urgent || reads.lastBytesRead() == reads.attemptedBytesRead());
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // Netty declares it so.
    @Override
    public <T> T attachment() {
        return registration().attachment();
    }

    @Override
    public boolean isValid() {
        return registration().isValid();
    }

    @Override
    public boolean cancel() {
        return registration().cancel();
    }

    @Override
    public FileDescriptor fd() {
        return channel.fd();
    }

    @Override
    public void registered() {
        epoll.keep(this);
        channel.registered();
    }

    @Override
    public void unregistered() {
        epoll.forget(this);
        channel.unregistered();
    }

    @Override
    public void close() throws Exception {
        channel.close();
    }
}
