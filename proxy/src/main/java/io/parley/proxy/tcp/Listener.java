package io.parley.proxy.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.unix.UnixChannelOption;
import io.parley.proxy.AddressText;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.socket.EdgeSocket;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One address on which connections are accepted. Its settings may change while it listens; the address may not. */
public final class Listener implements Listening {
    /** Beyond the upper mark a peer's input is no longer read, until the lower one is reached. */
    private static final WriteBufferWaterMark BUFFER = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final int BACKLOG = 4_096;

    /** Between two of these calls the event loop accepts who is waiting, however long it was busy before. */
    private static final int LAST_CALLS = 4;

    private static final long LAST_CALL_MILLIS = 25;

    /**
     * What a listener does now.
     *
     * @param gateway its chains; null if it is no gateway's
     */
    record Settings(
            ListenerConfig config,
            Timeouts timeouts,
            @Nullable GatewayChains gateway) {
        static Settings of(ListenerConfig config, Timeouts timeouts, @Nullable Settings before) {
            GatewayChains known = before == null ? null : before.gateway;
            return new Settings(
                    config,
                    timeouts,
                    config.routing() instanceof Routing.Gateway gateway ? GatewayChains.of(gateway, known) : null);
        }
    }

    private final Machinery machinery;
    private final AcceptHandler accept;
    private volatile Settings settings;
    private volatile @Nullable Channel server;
    private volatile boolean opened;

    /** Its connections count towards {@code all}, of which there may be {@code maxConnections}. */
    public Listener(
            ListenerConfig config, Timeouts timeouts, Machinery machinery, ConnectionLimit all, int maxConnections) {
        this.settings = Settings.of(config, timeouts, null);
        this.machinery = machinery;
        this.accept = new AcceptHandler(this, machinery, all, maxConnections);
    }

    Settings settings() {
        return settings;
    }

    @Override
    public ListenerConfig config() {
        return settings.config();
    }

    @Override
    public void update(ListenerConfig config, Timeouts timeouts) {
        settings = Settings.of(config, timeouts, settings);
    }

    @Override
    public ChannelFuture bind() {
        if (machinery.transport().kind() != Transport.Kind.EPOLL) {
            return bind(machinery.transport().sharing());
        }
        ChannelFuture alone = bind(machinery.transport().alone()).awaitUninterruptibly();
        if (alone.isSuccess()) {
            alone.channel().config().setOption(UnixChannelOption.SO_REUSEPORT, true);
        }
        return settings.gateway() == null ? bindWithOthers(alone) : bindForGateway(alone);
    }

    /** Whoever else has the port may be the one that this proxy replaces, or somebody's mistake. */
    private ChannelFuture bindWithOthers(ChannelFuture alone) {
        if (alone.isSuccess()) {
            return alone;
        }
        ChannelFuture shared = bind(machinery.transport().sharing()).awaitUninterruptibly();
        if (shared.isSuccess() && !machinery.own().isInTheWayOf(config().address())) {
            LOG.warn(
                    "{}: {} is another proxy's too, which gets no more connections (expected: one that this one"
                            + " replaces)",
                    config().name(),
                    AddressText.of(config().address()));
        }
        return shared;
    }

    /**
     * Several gateways may be meant for one port of a machine, each with its own proxy: the first has it, and shares it with its own
     * successors only. Waits for what comes of it.
     */
    private ChannelFuture bindForGateway(ChannelFuture alone) {
        boolean succeeds = !alone.isSuccess()
                && (machinery.own().isInTheWayOf(config().address()) || Mark.isThere(config().name()));
        ChannelFuture bound = succeeds ? bind(machinery.transport().sharing()).awaitUninterruptibly() : alone;
        if (bound.isSuccess()) {
            Mark.set(config().name(), bound.channel(), machinery.transport().loops());
        }
        return bound;
    }

    private ChannelFuture bind(Map<ChannelOption<Boolean>, Boolean> sharing) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(machinery.transport().loops())
                .channelFactory(() -> machinery.transport().newListener(config().address()))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, BUFFER)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, EdgeSocket.READS)
                .childHandler(accept);
        sharing.forEach(bootstrap::option);
        machinery.transport().keepAlive().forEach(bootstrap::option);
        ChannelFuture binding = bootstrap.bind(config().address());
        server = binding.channel();
        return binding.addListener(bound -> {
            if (bound.isSuccess()) {
                Succession.take(binding.channel());
            }
        });
    }

    @Override
    public void open() {
        opened = true;
        machinery.own().add(address());
        bound().config().setAutoRead(true);
    }

    @Override
    public InetSocketAddress address() {
        Channel bound = server;
        return bound != null && bound.localAddress() instanceof InetSocketAddress address
                ? address
                : config().address();
    }

    /**
     * Accepts nothing more, after a moment in which those who are on their way come in: the kernel resets connections that nobody has
     * accepted. Open connections go on.
     */
    @Override
    public ChannelFuture close() {
        Channel bound = bound();
        InetSocketAddress address = address();
        // One that was bound and never opened has not been added, and another listener may have its address.
        if (opened) {
            bound.closeFuture().addListener(_ -> machinery.own().remove(address));
        }
        closeAfter(LAST_CALLS, bound);
        return bound.closeFuture();
    }

    private Channel bound() {
        Channel bound = server;
        if (bound == null) {
            throw new IllegalStateException("never bound: " + config().name());
        }
        return bound;
    }

    private static void closeAfter(int calls, Channel bound) {
        if (calls == 0) {
            bound.close();
        } else {
            bound.eventLoop().schedule(() -> closeAfter(calls - 1, bound), LAST_CALL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
