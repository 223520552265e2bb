package io.parley.proxy.http1;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
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
        return bytes() == 0;
    }

    /** Whether there is some, of which the client has taken nothing for so long, as far as was looked; zero is for ever. */
    boolean isStuck(long now, Duration time) {
        long bytes = bytes();
        if (bytes != left) {
            left = bytes;
            since = now;
        }
        return bytes > 0 && !time.isZero() && now - since > time.toNanos();
    }

    private long bytes() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes() - waiting.currentProgress();
    }
}
