package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import io.parley.proxy.socket.EdgeEpoll;
import io.parley.proxy.socket.EdgeListener;
import io.parley.proxy.socket.EdgeSocket;
import io.parley.proxy.socket.EventLoops;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loops and the kind of sockets on them: epoll where its native part loads, the JDK's NIO elsewhere. */
public final class Transport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    /** Which operating system interface is used. */
    public enum Kind {
        EPOLL,
        NIO
    }

    private static final int SOL_SOCKET = 1;
    private static final int SOL_TCP = 6;

    /** Asked after 10 s of silence, as Linkerd does, and given up after three questions, 10 s apart. */
    private static final Map<ChannelOption<Integer>, Integer> ASKING = Map.of(
            new IntegerUnixChannelOption("SO_KEEPALIVE", SOL_SOCKET, 9), 1,
            new IntegerUnixChannelOption("TCP_KEEPIDLE", SOL_TCP, 4), 10,
            new IntegerUnixChannelOption("TCP_KEEPINTVL", SOL_TCP, 5), 10,
            new IntegerUnixChannelOption("TCP_KEEPCNT", SOL_TCP, 6), 3);

    /** TCP without pacing and without a model of the path, which every Linux has and every user may choose. */
    private static final byte[] RENO = "reno".getBytes(StandardCharsets.US_ASCII);

    private static final RawUnixChannelOption CONGESTION_CONTROL =
            new RawUnixChannelOption("TCP_CONGESTION", SOL_TCP, 13, RENO.length);

    private final Kind kind;
    private final EventLoopGroup loops;

    private Transport(Kind kind, int threads) {
        this.kind = kind;
        this.loops = new EventLoops(
                threads,
                "proxy",
                switch (kind) {
                    case EPOLL -> EdgeEpoll.newFactory();
                    case NIO -> NioIoHandler.newFactory();
                });
    }

    public static Transport best(int threads) {
        return of(Epoll.isAvailable() ? Kind.EPOLL : Kind.NIO, threads);
    }

    public static Transport of(Kind kind, int threads) {
        return new Transport(kind, threads);
    }

    public Kind kind() {
        return kind;
    }

    public EventLoopGroup loops() {
        return loops;
    }

    /** For a connection to there. */
    Channel newSocket(InetSocketAddress to) {
        return switch (kind) {
            case EPOLL -> EdgeSocket.to(to);
            case NIO -> {
                Channel socket = new NioSocketChannel();
                socket.config().setRecvByteBufAllocator(EdgeSocket.READS);
                yield socket;
            }
        };
    }

    /** For datagrams. */
    public DatagramChannel newDatagramSocket() {
        return switch (kind) {
            case EPOLL -> new EpollDatagramChannel();
            case NIO -> new NioDatagramChannel();
        };
    }

    /** For connections to there. */
    ServerChannel newListener(InetSocketAddress at) {
        return switch (kind) {
            case EPOLL -> EdgeListener.at(at);
            case NIO -> new NioServerSocketChannel();
        };
    }

    /** Lets the next proxy bind the port while this one drains, so that a restart leaves no gap. */
    Map<ChannelOption<Boolean>, Boolean> sharing() {
        return switch (kind) {
            case EPOLL -> Map.of(UnixChannelOption.SO_REUSEPORT, true, ChannelOption.SO_REUSEADDR, true);
            case NIO -> Map.of(ChannelOption.SO_REUSEADDR, true);
        };
    }

    /** Keeps others off the port while it is bound. */
    Map<ChannelOption<Boolean>, Boolean> alone() {
        return Map.of(ChannelOption.SO_REUSEADDR, true);
    }

    /**
     * Lets the kernel ask silent peers whether they are still there, so that one whose machine has vanished does not keep a connection until
     * the idle timeout. What a listener has, the connections that it accepts have too. There is no TCP_USER_TIMEOUT: it would also end
     * connections to peers that are there, and do not read for a while.
     */
    Map<ChannelOption<Integer>, Integer> keepAlive() {
        return switch (kind) {
            case EPOLL -> ASKING;
            case NIO -> Map.of();
        };
    }

    /** The same for a connection that is open already. Called on its event loop. */
    void askWhenSilent(Channel channel) {
        if (channel.isOpen()) {
            keepAlive().forEach(channel.config()::setOption);
        }
    }

    /**
     * Between programs of one machine there is nothing to congest: what BBR does about that is 3 % of the time of a small message. One system call more, so
     * it is for connections that last. Called on the event loop.
     */
    void easeIfLocal(Channel channel) {
        if (kind == Kind.EPOLL && channel.isOpen() && isLocal(channel)) {
            try {
                channel.config().setOption(CONGESTION_CONTROL, ByteBuffer.wrap(RENO));
            } catch (ChannelException e) {
                // It goes on as it is, only dearer.
                LOG.debug("the congestion control of {} stays", channel, e);
            }
        }
    }

    private static boolean isLocal(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote
                && channel.localAddress() instanceof InetSocketAddress local
                && (remote.getAddress().isLoopbackAddress()
                        || remote.getAddress().equals(local.getAddress()));
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
