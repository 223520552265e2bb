package io.parley.proxy.tcp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.parley.proxy.EventTime;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Netty's epoll, with the sockets of connections edge-triggered, as nginx has them. The kernel is told once what there is to know of a socket and reports each
 * change once; what the channel waits for at the moment is looked up here, in {@link SteadySocket}. Netty, which is level-triggered,
 * tells the kernel whenever that changes, of which there are ten times in the life of a connection that carries one message, and the
 * kernel looks a second time at every socket that it has reported.
 *
 * <p>Every open socket is kept registered. Netty 4.2.18 takes a socket out of epoll when it has nothing to wait
 * for (since netty pull request 16689), remembers it as still in, and fails with ENOENT when it is needed again. That is the state of
 * a client that has ended its output and waits for the answer: a long answer to it would fail.
 *
 * <p>Some sockets have a {@link Shortcut}, which is told of their bytes instead of the channel.
 */
final class SteadyEpoll extends OverEpoll {
    private static final FastThreadLocal<@Nullable SteadyEpoll> HERE = new FastThreadLocal<>();

    private final ThreadAwareExecutor loop;

    /** By the numbers of their descriptors. */
    private final IntObjectMap<SteadySocket> sockets = new IntObjectHashMap<>();

    /** Those about which something is to be done before the loop waits, each once. */
    private final ArrayDeque<SteadySocket> unsettled = new ArrayDeque<>();

    private @Nullable EventTime time;

    private SteadyEpoll(IoHandler epoll, ThreadAwareExecutor loop) {
        super(epoll);
        this.loop = loop;
    }

    static IoHandlerFactory newFactory() {
        return over(EpollIoHandler.newFactory());
    }

    static IoHandlerFactory over(IoHandlerFactory netty) {
        return executor -> new SteadyEpoll(netty.newHandler(executor), executor);
    }

    /** Gives a channel of this thread's event loop a shortcut, until it is closed. Without effect where there are none. */
    static void give(UnixChannel channel, Shortcut shortcut) {
        SteadyEpoll here = HERE.get();
        SteadySocket socket =
                here == null ? null : here.sockets.get(channel.fd().intValue());
        if (socket != null && socket.isOf(channel)) {
            socket.give(shortcut);
        }
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        SteadySocket socket = new SteadySocket(this, (EpollIoHandle) handle);
        socket.registeredAs(super.register(socket));
        return socket;
    }

    void keep(SteadySocket socket) {
        sockets.put(socket.number(), socket);
    }

    /** One that was closed on another thread may have been followed by another one with its number. */
    void forget(SteadySocket socket) {
        if (sockets.get(socket.number()) == socket) {
            sockets.remove(socket.number());
        }
    }

    /** Has the socket settle what there is before the loop waits. */
    void settleSoon(SteadySocket socket) {
        unsettled.add(socket);
    }

    /** The loop's. */
    EventTime time() {
        return Objects.requireNonNull(time);
    }

    boolean isHere() {
        return loop.isExecutorThread(Thread.currentThread());
    }

    @Override
    public int run(IoHandlerContext context) {
        int events = 0;
        // What is left unsettled by one of them waits for its next turn, after the others' events.
        for (int left = unsettled.size(); left > 0; left--) {
            events += unsettled.remove().settle();
        }
        return events + super.run(unsettled.isEmpty() ? context : new Impatient(context));
    }

    /** There is something to do, so the loop only looks what else there is. */
    private record Impatient(IoHandlerContext context) implements IoHandlerContext {
        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long now) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return context.deadlineNanos();
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return context.shouldReportActiveIoTime();
        }

        @Override
        public void reportActiveIoTime(long nanos) {
            context.reportActiveIoTime(nanos);
        }
    }

    @Override
    public void initialize() {
        HERE.set(this);
        time = EventTime.here();
        super.initialize();
    }

    @Override
    public void destroy() {
        HERE.remove();
        super.destroy();
    }
}
