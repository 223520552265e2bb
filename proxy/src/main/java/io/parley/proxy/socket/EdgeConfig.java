package io.parley.proxy.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** What can be set of any socket: whatever the kernel knows, by its number. */
abstract class EdgeConfig extends DefaultChannelConfig {
    private final TcpDescriptor descriptor;

    EdgeConfig(Channel channel, TcpDescriptor descriptor, RecvByteBufAllocator reads) {
        super(channel, reads);
        this.descriptor = descriptor;
    }

    /** Asks the kernel for an option. */
    @FunctionalInterface
    interface Question<T> {
        T ask(TcpDescriptor descriptor) throws IOException;
    }

    /** Tells the kernel an option. */
    @FunctionalInterface
    interface Setting {
        void make(TcpDescriptor descriptor) throws IOException;
    }

    /** A failure is told as Netty tells it. Another socket may have the number of one that is closed. */
    final <T> T ask(Question<T> question) {
        try {
            if (!descriptor.isOpen()) {
                throw new ClosedChannelException();
            }
            return question.ask(descriptor);
        } catch (IOException e) {
            throw new ChannelException(e);
        }
    }

    /** The same; that it was set is told by {@code true}. */
    final boolean set(Setting setting) {
        return ask(socket -> {
            setting.make(socket);
            return true;
        });
    }

    @SuppressWarnings("unchecked") // What an option is of is told by its class.
    @Override
    public <T> @Nullable T getOption(ChannelOption<T> option) {
        if (option instanceof IntegerUnixChannelOption known) {
            return (T) ask(socket -> (Integer) socket.getIntOpt(known.level(), known.optname()));
        }
        if (option instanceof RawUnixChannelOption known) {
            return (T) ask(socket -> {
                ByteBuffer answer = ByteBuffer.allocate(known.length());
                socket.getRawOpt(known.level(), known.optname(), answer);
                return answer.flip();
            });
        }
        return super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option instanceof IntegerUnixChannelOption known) {
            return set(socket -> socket.setIntOpt(known.level(), known.optname(), (Integer) value));
        }
        if (option instanceof RawUnixChannelOption known) {
            return set(socket -> socket.setRawOpt(known.level(), known.optname(), (ByteBuffer) value));
        }
        return super.setOption(option, value);
    }
}
