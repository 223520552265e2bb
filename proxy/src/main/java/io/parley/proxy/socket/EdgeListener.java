package io.parley.proxy.socket;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.NativeInetAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Accepts connections, one whenever the kernel says that one waits. */
public final class EdgeListener extends EdgeChannel implements ServerChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    /** The length, then an address of IPv6, its scope and port. */
    private static final int ADDRESS_BYTES = 25;

    /** It stays in epoll when it accepts nothing: Netty 4.2.18 does not find a socket again that has waited for nothing. */
    private static final EpollIoOps NOTHING = EpollIoOps.EPOLLERR;

    private static final EpollIoOps CONNECTIONS = NOTHING.with(EpollIoOps.EPOLLIN);

    private final EdgeListenerConfig config = new EdgeListenerConfig(this, descriptor());
    private final byte[] address = new byte[ADDRESS_BYTES];
    private volatile boolean active;
    private boolean accepting;
    private @Nullable EpollIoOps told;
    private @Nullable InetSocketAddress localOfAll;

    private EdgeListener(TcpDescriptor descriptor) {
        super(null, descriptor);
    }

    /** One that can be bound there; if to all addresses, to those of both versions. */
    public static EdgeListener at(InetSocketAddress local) {
        InetAddress address = local.getAddress();
        return new EdgeListener(address.isAnyLocalAddress() ? TcpDescriptor.open() : TcpDescriptor.openFor(address));
    }

    private final class Accepting extends Handle {
        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            promise.setFailure(new UnsupportedOperationException("a listener connects to nobody"));
        }
    }

    @Override
    protected Handle newUnsafe() {
        return new Accepting();
    }

    @Override
    void bound() throws IOException {
        descriptor().setTcpNoDelay(true);
        descriptor().listen(config.backlog());
        active = true;
        InetSocketAddress local = descriptor().localAddress();
        localOfAll = local == null || local.getAddress().isAnyLocalAddress() ? null : local;
        watch();
    }

    @Override
    protected void doBeginRead() {
        accepting = true;
        watch();
    }

    /** It accepts no more until it is told to. */
    void stopAccepting() {
        if (!isRegistered()) {
            return;
        }
        eventLoop().execute(() -> {
            if (!config.isAutoRead()) {
                accepting = false;
                watch();
            }
        });
    }

    private void watch() {
        EpollIoOps now = accepting ? CONNECTIONS : NOTHING;
        if (active && !now.equals(told)) {
            registration().submit(now);
            told = now;
        }
    }

    @Override
    void reported(int events) {
        if (told == null) {
            // Of a predecessor with the same number.
            return;
        }
        epoll().time().begin();
        try {
            accept();
        } finally {
            epoll().time().end();
        }
    }

    private void accept() {
        Throwable failure = null;
        try {
            int number = descriptor().accept(address);
            if (number >= 0) {
                pipeline().fireChannelRead(accepted(number));
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // To be told here: the loop would drop what else the kernel has reported, which it does once.
            failure = e;
        }
        pipeline().fireChannelReadComplete();
        if (failure != null) {
            pipeline().fireExceptionCaught(failure);
        }
    }

    private EdgeSocket accepted(int number) throws IOException {
        try {
            InetSocketAddress client = NativeInetAddress.address(address, 1, address[0]);
            return new EdgeSocket(this, number, client, localOfAll);
        } catch (RuntimeException | OutOfMemoryError e) {
            new FileDescriptor(number).close();
            throw e;
        }
    }

    @Override
    protected void doClose() throws Exception {
        active = false;
        super.doClose();
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return null;
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer none) {
        throw new UnsupportedOperationException("a listener sends nothing");
    }
}
