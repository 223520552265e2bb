package io.parley.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.parley.proxy.config.HttpUpstream.Version;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first bytes that a server sends, and leaves. They tell a server that speaks something else than it was declared to, for
 * which all that would be known otherwise is that its answer could not be read.
 */
public final class FirstWords extends ChannelInboundHandlerAdapter {
    private static final String HTTP1 = "HTTP/1";
    private static final String HTTP2 = "HTTP/2";
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int ALERT = 0x15;
    private static final int HANDSHAKE = 0x16;

    private final Version expected;
    private @Nullable String surprise;
    private boolean spoken;
    private boolean hungUp;

    public FirstWords(Version expected) {
        this.expected = expected;
    }

    /** What was spoken instead; null if nothing else was so far. */
    public @Nullable String surprise() {
        return surprise;
    }

    /** Whether it ended the connection without a word, though it had to speak at once. */
    public boolean isHungUp() {
        return hungUp;
    }

    /** It is given up here, and may yet speak what it should: that it has said nothing until then is no word of its own. */
    public void giveUp() {
        spoken = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        spoken = true;
        String found = language((ByteBuf) message);
        if (!found.equals(expected == Version.HTTP2 ? HTTP2 : HTTP1)) {
            surprise = found;
        }
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(message);
    }

    /** RFC 9113 3.4: a server of HTTP/2 begins with SETTINGS, and one that is sent what it does not understand often just hangs up. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!spoken && expected == Version.HTTP2) {
            hungUp = true;
            surprise = "nothing: it closed the connection";
        }
        ctx.fireChannelInactive();
    }

    static String language(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int length = bytes.readableBytes();
        int first = length > 0 ? bytes.getUnsignedByte(at) : -1;
        if (first == 'H') {
            return HTTP1;
        }
        if ((first == ALERT || first == HANDSHAKE) && (length == 1 || bytes.getByte(at + 1) == 3)) {
            return "TLS";
        }
        boolean frame = length > 3 && (bytes.getByte(at + 3) == SETTINGS || bytes.getByte(at + 3) == GOAWAY);
        return frame || (first == 0 && length <= 3) ? HTTP2 : "bytes that are neither HTTP nor TLS";
    }
}
