package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a peer was sent and its socket has not taken. It is looked at from time to time only, so that it costs requests nothing. */
public final class Unsent {
    private final Channel channel;

    /** What was first in line at the last look, by which it is known again: more may have been put behind it, and how much there is tells nothing. */
    private @Nullable Object first;

    private long left;
    private long since;

    public Unsent(Channel channel) {
        this.channel = channel;
    }

    public boolean isNone() {
        return of(channel) == 0;
    }

    /** Whether there is some, of which the socket has taken nothing for so long, as far as was looked. */
    @SuppressWarnings("ReferenceEquality") // Buffers are equal if their content is.
    public boolean isStuck(long now, Duration time) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        Object next = waiting == null ? null : waiting.current();
        long leftOfIt = next instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        boolean waits = next != null && !isNone();
        if (!waits || next != first || leftOfIt != left) {
            first = next;
            left = leftOfIt;
            since = now;
        }
        return waits && now - since > time.toNanos();
    }

    /** How many bytes. */
    public static long of(Channel channel) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes() - waiting.currentProgress();
    }

    /** Leaves a peer with what it has not taken, by a reset, past TLS, which would say goodbye: what was cut off must not look finished. */
    public static void cutOff(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.newPromise());
        }
    }
}
