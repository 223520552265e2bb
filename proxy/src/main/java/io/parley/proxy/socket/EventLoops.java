package io.parley.proxy.socket;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;

/**
 * Netty's event loops, which close what is open on them before they end, whenever they are told to. Those of Netty 4.2.18 look whether to
 * close before they run their tasks and whether to end after it: told in between, they end and forget every socket and TLS engine.
 */
public final class EventLoops extends MultiThreadIoEventLoopGroup {
    public EventLoops(int threads, String name, IoHandlerFactory sockets) {
        super(threads, new DefaultThreadFactory(name, true), sockets);
    }

    @Override
    protected IoEventLoop newChild(Executor thread, IoHandlerFactory sockets, Object... none) {
        return new Loop(this, thread, sockets);
    }

    private static final class Loop extends SingleThreadIoEventLoop {
        Loop(IoEventLoopGroup group, Executor thread, IoHandlerFactory sockets) {
            super(group, thread, sockets);
        }

        /** Without a scheduled task there is none. Netty's own would be in a second, for which it asks for the time in every turn. Only epoll asks. */
        @Override
        protected long deadlineNanos() {
            return nextScheduledTaskDeadlineNanos();
        }

        @Override
        protected boolean confirmShutdown() {
            if (isShuttingDown() && !isShutdown()) {
                ioHandler().prepareToDestroy();
            }
            return super.confirmShutdown();
        }
    }
}
