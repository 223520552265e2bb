package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is being made. Of a name each address is tried, one after the other, until one accepts. Whoever has accepted may have
 * been told something, so nobody else is tried after that.
 */
final class Dial {
    /** Makes a socket that is ready to be connected. */
    interface Sockets {
        Channel open(InetSocketAddress to) throws SSLException;
    }

    private final EventLoop loop;
    private final Sockets sockets;
    private final Names names;
    private final OwnAddresses own;
    private final Consumer<Channel> accepted;
    private final Consumer<Throwable> failed;
    private @Nullable Channel channel;
    private boolean abandoned;

    /** Tells one of the two what came of it, once, on the event loop. */
    Dial(
            EventLoop loop,
            Sockets sockets,
            Names names,
            OwnAddresses own,
            Consumer<Channel> accepted,
            Consumer<Throwable> failed) {
        this.loop = loop;
        this.sockets = sockets;
        this.names = names;
        this.own = own;
        this.accepted = accepted;
        this.failed = failed;
    }

    void begin(InetSocketAddress to) {
        if (!to.isUnresolved()) {
            connect(to, failed);
            return;
        }
        names.find(to.getHostString())
                .whenComplete((found, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        inTurn(to, found.iterator());
                    } else {
                        failed.accept(failure);
                    }
                }));
    }

    /** Only here can be told whether a name leads back to this proxy. */
    private void inTurn(InetSocketAddress named, Iterator<InetAddress> addresses) {
        if (abandoned) {
            failed.accept(new ClosedChannelException());
            return;
        }
        InetAddress address = addresses.next();
        InetSocketAddress to = new InetSocketAddress(address, named.getPort());
        Consumer<Throwable> next = cause -> {
            if (!abandoned) {
                names.failed(named.getHostString(), address);
            }
            if (abandoned || !addresses.hasNext()) {
                failed.accept(cause);
            } else {
                inTurn(named, addresses);
            }
        };
        if (own.isOwn(to)) {
            next.accept(new IOException("a connection to " + to + " would come back to this proxy"));
        } else {
            connect(to, next);
        }
    }

    private void connect(InetSocketAddress to, Consumer<Throwable> otherwise) {
        Channel socket;
        try {
            socket = sockets.open(to);
        } catch (SSLException | RuntimeException e) {
            // Not from within: the caller does not hold the dial yet.
            loop.execute(() -> otherwise.accept(e));
            return;
        }
        channel = socket;
        loop.register(socket);
        ChannelFuture connecting = socket.connect(to);
        if (connecting.isDone()) {
            // It can fail at once. Not from within either.
            loop.execute(() -> connected(connecting, otherwise));
        } else {
            connecting.addListener((ChannelFutureListener) done -> connected(done, otherwise));
        }
    }

    private void connected(ChannelFuture done, Consumer<Throwable> otherwise) {
        Throwable cause = done.cause();
        if (cause == null) {
            accepted.accept(done.channel());
        } else {
            done.channel().close();
            otherwise.accept(cause);
        }
    }

    /** Nobody wants it any more. */
    void close() {
        abandoned = true;
        if (channel != null) {
            channel.close();
        }
    }
}
