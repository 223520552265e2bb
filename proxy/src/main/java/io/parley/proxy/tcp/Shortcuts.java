package io.parley.proxy.tcp;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * An event loop's sockets, some of which have a shortcut: when there are bytes to be read, and nothing else is the matter, they are not
 * told to Netty's channel but to the shortcut. A pipeline, a buffer of the pool and a queue for a message of a few bytes cost as much as a tenth of
 * the system calls.
 */
final class Shortcuts extends OverEpoll {
    /** The way of a socket's bytes past its channel. Called on the event loop. */
    interface Shortcut {
        /**
         * There are bytes to be read.
         *
         * @return whether that has been seen to; otherwise the channel is told, as if there were no shortcut
         */
        boolean read();
    }

    private static final FastThreadLocal<@Nullable Shortcuts> HERE = new FastThreadLocal<>();
    private static final int READABLE = EpollIoOps.EPOLLIN.value();

    /** By the numbers of their descriptors. */
    private final IntObjectMap<Watched> sockets = new IntObjectHashMap<>();

    private Shortcuts(IoHandler epoll) {
        super(epoll);
    }

    static IoHandlerFactory over(IoHandlerFactory epoll) {
        return executor -> new Shortcuts(epoll.newHandler(executor));
    }

    /** Gives a channel of this thread's event loop a shortcut, until it is closed. Without effect where there are none. */
    static void give(UnixChannel channel, Shortcut shortcut) {
        Shortcuts here = HERE.get();
        Watched socket = here == null ? null : here.sockets.get(channel.fd().intValue());
        if (socket != null && socket.channel.equals(channel.unsafe())) {
            socket.shortcut = shortcut;
        }
    }

    @SuppressWarnings("try") // Netty declares that closing may be interrupted.
    private final class Watched implements EpollIoHandle {
        private final EpollIoHandle channel;
        private final int number;
        private @Nullable Shortcut shortcut;

        Watched(EpollIoHandle channel) {
            this.channel = channel;
            this.number = channel.fd().intValue();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            Shortcut way = shortcut;
            if (way == null || ((EpollIoEvent) event).ops().value() != READABLE || !way.read()) {
                channel.handle(registration, event);
            }
        }

        @Override
        public FileDescriptor fd() {
            return channel.fd();
        }

        @Override
        public void registered() {
            sockets.put(number, this);
            channel.registered();
        }

        @Override
        public void unregistered() {
            // One that was closed on another thread may have been followed by another one with its number.
            if (sockets.get(number) == this) {
                sockets.remove(number);
            }
            channel.unregistered();
        }

        @Override
        public void close() throws Exception {
            channel.close();
        }
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return super.register(new Watched((EpollIoHandle) handle));
    }

    @Override
    public void initialize() {
        HERE.set(this);
        super.initialize();
    }

    @Override
    public void destroy() {
        HERE.remove();
        super.destroy();
    }
}
