package io.parley.proxy.socket;

import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;

/** What can be set of a connection. */
final class EdgeSocketConfig extends EdgeConfig {
    private final EdgeSocket socket;
    private volatile boolean halfClosure;

    EdgeSocketConfig(EdgeSocket socket, TcpDescriptor descriptor) {
        super(socket, descriptor, EdgeSocket.READS);
        this.socket = socket;
    }

    /** Whether the connection goes on when the other side sends no more. */
    boolean isHalfClosureAllowed() {
        return halfClosure;
    }

    @SuppressWarnings("unchecked") // What an option is of is told by its class.
    @Override
    public <T> @Nullable T getOption(ChannelOption<T> option) {
        if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            return (T) Boolean.valueOf(halfClosure);
        }
        if (option.equals(ChannelOption.SO_LINGER)) {
            return (T) ask(descriptor -> (Integer) descriptor.getSoLinger());
        }
        return super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            halfClosure = (Boolean) value;
            return true;
        }
        if (option.equals(ChannelOption.SO_LINGER)) {
            return set(descriptor -> descriptor.setSoLinger((Integer) value));
        }
        return super.setOption(option, value);
    }

    @Override
    protected void autoReadCleared() {
        socket.stopReading();
    }
}
