package io.parley.proxy.health;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.pool.Dialling;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Tells an endpoint something over a new connection, and waits for what it should answer. */
final class Dialogue extends ChannelInboundHandlerAdapter implements Dialling.Outcome {
    /** Whoever has said that much, and not yet what was expected, does not say it. */
    private static final int MOST_BYTES = 64 << 10;

    private final ByteBuf words;
    private final Deque<ByteBuf> expected = new ArrayDeque<>();
    private final Probe.Verdict verdict;

    /** What may still be the beginning of the next answer. */
    private final ByteBuf heard = Unpooled.buffer();

    private long bytes;
    private @Nullable Channel channel;
    private boolean over;

    Dialogue(Question.Dialogue question, Probe.Verdict verdict) {
        this.words = bytes(question.words());
        question.answers().forEach(answer -> expected.add(bytes(answer)));
        this.verdict = verdict;
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void connected(Channel connected) {
        if (over) {
            connected.close();
            return;
        }
        channel = connected;
        connected.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        connected.pipeline().addLast(this);
        if (words.isReadable()) {
            connected.writeAndFlush(words);
        }
        connected.config().setAutoRead(true);
        listen();
    }

    @Override
    public void failed(Throwable cause) {
        finish(false);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf more = (ByteBuf) message;
        try {
            if (!over) {
                bytes += more.readableBytes();
                heard.writeBytes(more);
                listen();
            }
        } finally {
            more.release();
        }
    }

    /** Looks for one expected answer after the other. */
    private void listen() {
        while (!expected.isEmpty()) {
            int length = expected.getFirst().readableBytes();
            int at = ByteBufUtil.indexOf(expected.getFirst(), heard);
            if (at < 0) {
                forgetAllBut(length - 1);
                if (bytes > MOST_BYTES) {
                    finish(false);
                }
                return;
            }
            heard.readerIndex(at + length);
            expected.removeFirst();
        }
        finish(true);
    }

    /** So that no byte is looked at more often than answers are long. */
    private void forgetAllBut(int last) {
        heard.skipBytes(Math.max(0, heard.readableBytes() - last)).discardReadBytes();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        finish(false);
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's name for it.
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        finish(false);
    }

    private void finish(boolean good) {
        if (!over) {
            giveUp();
            verdict.is(good);
        }
    }

    /** Nobody waits for it any more. */
    void giveUp() {
        over = true;
        if (channel != null) {
            channel.close();
        }
    }
}
