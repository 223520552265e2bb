package io.parley.proxy.socket;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.parley.proxy.EventTime;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Netty's epoll, with a turn before each wait for sockets that have something to tell the kernel, or have been told something by it and have not come to the end of it. Others
 * than ours, for datagrams and names of Unix, are Netty's and as Netty has them.
 */
public final class EdgeEpoll extends OverEpoll {
    private static final FastThreadLocal<@Nullable EdgeEpoll> HERE = new FastThreadLocal<>();

    private final ThreadAwareExecutor loop;

    /** Those about which something is to be done before the loop waits, each once. */
    private final ArrayDeque<EdgeSocket> queue = new ArrayDeque<>();

    private final Gathering gathering = new Gathering();

    private @Nullable EventTime time;

    private EdgeEpoll(IoHandler epoll, ThreadAwareExecutor loop) {
        super(epoll);
        this.loop = loop;
    }

    public static IoHandlerFactory newFactory() {
        return over(EpollIoHandler.newFactory());
    }

    static IoHandlerFactory over(IoHandlerFactory netty) {
        return executor -> new EdgeEpoll(netty.newHandler(executor), executor);
    }

    /** That of the calling event loop. */
    static EdgeEpoll here() {
        EdgeEpoll here = HERE.get();
        if (here == null) {
            throw new IllegalStateException("not an event loop with these sockets: " + Thread.currentThread());
        }
        return here;
    }

    /** Gives the socket a turn before the loop waits. */
    void callBeforeWait(EdgeSocket socket) {
        if (!loop.isExecutorThread(Thread.currentThread())) {
            throw new IllegalStateException("called off its event loop: " + Thread.currentThread());
        }
        queue.add(socket);
    }

    /** The loop's. */
    EventTime time() {
        return Objects.requireNonNull(time);
    }

    Gathering gathering() {
        return gathering;
    }

    @Override
    public int run(IoHandlerContext context) {
        int events = 0;
        // What one of them leaves waits for its next turn, after the others' events.
        for (int left = queue.size(); left > 0; left--) {
            events += queue.remove().beforeWait();
        }
        return events + super.run(queue.isEmpty() ? context : new Impatient(context));
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
        gathering.free();
        super.destroy();
    }
}
