package io.parley.proxy.socket;

import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.unix.UnixChannelOption;
import org.jspecify.annotations.Nullable;

/** What can be set of a listener. What the kernel has its connections inherit is set here once, and not of each of them. */
final class EdgeListenerConfig extends EdgeConfig {
    private static final int BACKLOG = 128;

    private final EdgeListener listener;
    private volatile int backlog = BACKLOG;

    EdgeListenerConfig(EdgeListener listener, TcpDescriptor descriptor) {
        super(listener, descriptor, new FixedRecvByteBufAllocator(1));
        this.listener = listener;
    }

    /** How many connections may wait to be accepted. */
    int backlog() {
        return backlog;
    }

    @SuppressWarnings("unchecked") // What an option is of is told by its class.
    @Override
    public <T> @Nullable T getOption(ChannelOption<T> option) {
        if (option.equals(ChannelOption.SO_BACKLOG)) {
            return (T) Integer.valueOf(backlog);
        }
        if (option.equals(ChannelOption.SO_REUSEADDR)) {
            return (T) ask(descriptor -> (Boolean) descriptor.isReuseAddress());
        }
        if (option.equals(UnixChannelOption.SO_REUSEPORT)) {
            return (T) ask(descriptor -> (Boolean) descriptor.isReusePort());
        }
        return super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option.equals(ChannelOption.SO_BACKLOG)) {
            backlog = (Integer) value;
            return true;
        }
        if (option.equals(ChannelOption.SO_REUSEADDR)) {
            return set(descriptor -> descriptor.setReuseAddress((Boolean) value));
        }
        if (option.equals(UnixChannelOption.SO_REUSEPORT)) {
            return set(descriptor -> descriptor.setReusePort((Boolean) value));
        }
        return super.setOption(option, value);
    }

    @Override
    protected void autoReadCleared() {
        listener.stopAccepting();
    }
}
