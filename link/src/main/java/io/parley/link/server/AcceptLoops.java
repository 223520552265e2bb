package io.parley.link.server;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The loops on which servers accept connections, for {@code ServerBuilder.bossGroupFactory}. Left to itself, Netty lets a loop that is to
 * end stand idle for two seconds first, and a server that stops waits for that, although nothing is left to be accepted.
 */
public final class AcceptLoops {
    private AcceptLoops() {}

    /** A loop of one thread of this name, which ends as soon as it is told to. */
    public static EventLoopGroup named(String name) {
        ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(name, false);
        // Of the same kind as those that carry the connections, which the HTTP library makes.
        return switch (Flags.transportType()) {
            case EPOLL -> new Prompt(threads, EpollIoHandler.newFactory());
            case NIO -> new Prompt(threads, NioIoHandler.newFactory());
            default -> EventLoopGroups.newEventLoopGroup(1, threads);
        };
    }

    /** A server tells the group that a loop belongs to, and none that is wrapped around it (Armeria 1.36: {@code eventLoop().parent()}). */
    private static final class Prompt extends MultiThreadIoEventLoopGroup {
        private static final long LONGEST_STOP_MILLIS = 2_000;

        Prompt(ThreadFactory threads, IoHandlerFactory sockets) {
            super(1, threads, sockets);
        }

        @Override
        public Future<?> shutdownGracefully() {
            return shutdownGracefully(0, LONGEST_STOP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
