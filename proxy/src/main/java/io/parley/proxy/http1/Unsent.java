package io.parley.proxy.http1;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.parley.proxy.http.HttpTimeouts;
import java.time.Duration;

/** What a client was answered and has not taken. It is looked at from time to time only, so that it costs requests nothing. */
final class Unsent {
    private final Channel channel;
    private long left;
    private long since;

    Unsent(Channel channel) {
        this.channel = channel;
    }

    boolean isNone() {
        return of(channel) == 0;
    }

    /** Whether there is some, of which the client has taken nothing for so long, as far as was looked. Zero is the usual time: for ever would keep memory, and a drain waiting. */
    boolean isStuck(long now, Duration time) {
        long bytes = of(channel);
        if (bytes != left) {
            left = bytes;
            since = now;
        }
        Duration most = time.isZero() ? HttpTimeouts.DEFAULT.streamIdle() : time;
        return bytes > 0 && now - since > most.toNanos();
    }

    /** How many bytes. */
    static long of(Channel channel) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes() - waiting.currentProgress();
    }
}
