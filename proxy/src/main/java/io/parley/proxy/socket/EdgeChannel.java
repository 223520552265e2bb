package io.parley.proxy.socket;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What listeners and connections have in common: a descriptor, and a place on an event loop with {@link EdgeEpoll}. */
abstract class EdgeChannel extends AbstractChannel implements UnixChannel {
    private final TcpDescriptor descriptor;
    private @Nullable EdgeEpoll epoll;
    private @Nullable IoRegistration registration;

    EdgeChannel(@Nullable Channel parent, TcpDescriptor descriptor) {
        super(parent);
        this.descriptor = descriptor;
    }

    final TcpDescriptor descriptor() {
        return descriptor;
    }

    /** That of its event loop, once it is registered. */
    final EdgeEpoll epoll() {
        if (epoll == null) {
            throw new IllegalStateException("not registered: " + this);
        }
        return epoll;
    }

    /** By which Netty's epoll knows it, once it is registered. */
    final IoRegistration registration() {
        if (registration == null) {
            throw new IllegalStateException("not registered: " + this);
        }
        return registration;
    }

    /** What epoll sees. */
    abstract class Handle extends AbstractUnsafe implements EpollIoHandle {
        @Override
        public final FileDescriptor fd() {
            return descriptor;
        }

        @Override
        public final void handle(IoRegistration netty, IoEvent event) {
            reported(((EpollIoEvent) event).ops().value());
        }

        @Override
        public final void close() {
            close(voidPromise());
        }
    }

    @Override
    protected abstract Handle newUnsafe();

    /** Past all handlers, as nothing can be sent any more. */
    final void closeNow() {
        ((Handle) unsafe()).close();
    }

    /** The kernel reports this. Called on the event loop. */
    abstract void reported(int events);

    /** It is on its event loop. */
    void joined() {}

    @Override
    protected final void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop()).register((Handle) unsafe()).addListener(registered -> {
            if (registered.isSuccess()) {
                registration = (IoRegistration) registered.getNow();
                epoll = EdgeEpoll.here();
                joined();
                promise.setSuccess();
            } else {
                promise.setFailure(registered.cause());
            }
        });
    }

    @Override
    protected final boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop here && here.isIoType(EdgeEpoll.class);
    }

    /** The kernel forgets a descriptor that is closed, so it is not told before. */
    @Override
    protected void doClose() throws Exception {
        try {
            descriptor.close();
        } finally {
            doDeregister();
        }
    }

    @Override
    protected final void doDeregister() {
        if (registration != null) {
            registration.cancel();
        }
    }

    @Override
    protected final void doDisconnect() throws Exception {
        doClose();
    }

    @Override
    protected final void doBind(SocketAddress local) throws Exception {
        descriptor.bind(local);
        bound();
    }

    /** It has an address. */
    void bound() throws IOException {}

    /**
     * The kernel is asked when somebody wants to know. Not before there is an address, as the first answer is kept, and not of a descriptor that is
     * closed: another socket may have its number.
     */
    @Override
    protected @Nullable InetSocketAddress localAddress0() {
        return isActive() && isOpen() ? descriptor.localAddress() : null;
    }

    @Override
    public final FileDescriptor fd() {
        return descriptor;
    }

    @Override
    public final boolean isOpen() {
        return descriptor.isOpen();
    }
}
