package io.parley.proxy.udp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.parley.proxy.balance.Attempt;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.Pick;
import io.parley.proxy.config.ClusterShare;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.route.SmoothWeights;
import io.parley.proxy.tcp.Listening;
import io.parley.proxy.tcp.Machinery;
import io.parley.proxy.telemetry.UdpSeries;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One address on which datagrams are taken. */
public final class UdpListener implements Listening {
    private static final int LARGEST = 65_536;
    private static final long SWEEP_MILLIS = 500;

    /** What the listener does now, and whose turn it is. */
    private record Settings(ListenerConfig config, Routing.Datagrams routing, SmoothWeights turns) {
        static Settings of(ListenerConfig config) {
            if (!(config.routing() instanceof Routing.Datagrams routing)) {
                throw new IllegalArgumentException("routing: " + config.routing() + " (expected: datagrams)");
            }
            List<Integer> weights =
                    routing.clusters().stream().map(ClusterShare::weight).toList();
            return new Settings(config, routing, new SmoothWeights(weights));
        }

        Optional<String> next() {
            int index = turns.next();
            return index < 0
                    ? Optional.empty()
                    : Optional.of(routing.clusters().get(index).cluster());
        }
    }

    private final Machinery machinery;
    private final UdpSeries series;
    private final Map<InetSocketAddress, UdpSession> sessions = new HashMap<>();
    private volatile Settings settings;
    private volatile @Nullable Channel server;

    public UdpListener(ListenerConfig config, Machinery machinery) {
        this.machinery = machinery;
        this.settings = Settings.of(config);
        this.series = machinery.telemetry().datagrams(config.name());
    }

    @Override
    public ListenerConfig config() {
        return settings.config();
    }

    @Override
    public void update(ListenerConfig config, Timeouts timeouts) {
        if (!config.equals(settings.config())) {
            settings = Settings.of(config);
        }
    }

    @Override
    public ChannelFuture bind() {
        Bootstrap bootstrap = new Bootstrap()
                .group(machinery.transport().loops())
                .channelFactory(machinery.transport()::newDatagramSocket)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(LARGEST))
                .handler(new Clients());
        ChannelFuture binding = bootstrap.bind(config().address());
        server = binding.channel();
        return binding;
    }

    private Channel bound() {
        Channel bound = server;
        if (bound == null) {
            throw new IllegalStateException("never bound: " + config().name());
        }
        return bound;
    }

    @Override
    public void open() {
        Channel bound = bound();
        bound.config().setAutoRead(true);
        bound.eventLoop().execute(this::scheduleSweep);
    }

    @Override
    public InetSocketAddress address() {
        return bound().localAddress() instanceof InetSocketAddress address ? address : config().address();
    }

    @Override
    public ChannelFuture close() {
        Channel bound = bound();
        bound.closeFuture().addListener(_ -> List.copyOf(sessions.keySet()).forEach(this::forget));
        return bound.close();
    }

    long now() {
        return machinery.surroundings().ticker().getAsLong();
    }

    void dropped(String cause) {
        series.dropped(cause).increment();
    }

    /** Passes an answer on; the content is taken over. */
    void answer(InetSocketAddress client, ByteBuf content) {
        Channel bound = bound();
        if (bound.isWritable()) {
            series.sent().increment();
            bound.writeAndFlush(new DatagramPacket(content, client), bound.voidPromise());
        } else {
            content.release();
            dropped("client-busy");
        }
    }

    void forget(InetSocketAddress client) {
        UdpSession session = sessions.remove(client);
        if (session != null) {
            series.open().decrement();
            session.close();
        }
    }

    private void scheduleSweep() {
        Channel bound = bound();
        if (bound.isOpen()) {
            bound.eventLoop().schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        long moment = now() - settings.routing().idle().toNanos();
        List<InetSocketAddress> silent = sessions.entrySet().stream()
                .filter(entry -> entry.getValue().isSilentSince(moment))
                .map(Map.Entry::getKey)
                .toList();
        silent.forEach(this::forget);
        scheduleSweep();
    }

    private final class Clients extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, DatagramPacket packet) {
            series.received().increment();
            InetSocketAddress client = packet.sender();
            UdpSession session = sessions.get(client);
            if (session != null && !session.isUsable()) {
                forget(client);
                session = null;
            }
            if (session == null) {
                session = begin(client);
            }
            if (session != null) {
                session.send(packet.content().retain(), now());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // A client that is gone: its session ends when it has been silent for long enough.
            dropped("client-gone");
        }
    }

    /** Chooses an endpoint for a client that is new; null if its datagram is dropped, for which UDP has no answer. */
    private @Nullable UdpSession begin(InetSocketAddress client) {
        Settings now = settings;
        if (sessions.size() >= now.config().limits().maxConnections()) {
            dropped("sessions");
            return null;
        }
        Cluster cluster = now.next().flatMap(machinery.clusters()::find).orElse(null);
        if (cluster == null || !(cluster.pick(List.of()) instanceof Pick.Chosen(var attempt))) {
            dropped("no-endpoint");
            return null;
        }
        return begin(client, attempt);
    }

    private UdpSession begin(InetSocketAddress client, Attempt attempt) {
        Channel upstream = machinery.transport().newDatagramSocket();
        upstream.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(LARGEST));
        UdpSession session = new UdpSession(this, client, attempt, upstream, now());
        upstream.pipeline().addLast(session);
        bound().eventLoop().register(upstream);
        upstream.connect(attempt.endpoint().endpoint().address());
        attempt.connected();
        series.open().increment();
        sessions.put(client, session);
        return session;
    }
}
