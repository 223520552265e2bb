package io.parley.link.server;

import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;

/**
 * The loops on which servers accept connections, for {@code ServerBuilder.bossGroupFactory}. Left to itself, Netty lets a loop that is to
 * end stand idle for two seconds first, and a server that stops waits for that, although nothing is left to be accepted.
 */
public final class AcceptLoops {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(2);

    private AcceptLoops() {}

    /** A loop of one thread of this name, which ends as soon as it is told to. */
    public static EventLoopGroup named(String name) {
        return EventLoopGroups.builder()
                .numThreads(1)
                .threadFactory(ThreadFactories.newEventLoopThreadFactory(name, false))
                .gracefulShutdown(Duration.ZERO, LONGEST_STOP)
                .build();
    }
}
