package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.parley.proxy.AddressText;
import io.parley.proxy.config.ListenerConfig;
import io.parley.wire.proxyprotocol.ProxiedAddresses;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Lets a connection in or turns it away, finds out where it was meant to go, sends it on its way, and leaves. */
@Sharable
final class AcceptHandler extends ChannelInboundHandlerAdapter {
    private static final String RATE = "connection-rate";
    private static final String LISTENER = "listener-connections";
    private static final String ALL = "connections";

    private final Listener listener;
    private final Machinery machinery;
    private final ConnectionLimit all;
    private final int maxConnections;
    private final ConnectionLimit here = new ConnectionLimit();
    private final ConnectionRate rate;

    AcceptHandler(Listener listener, Machinery machinery, ConnectionLimit all, int maxConnections) {
        this.listener = listener;
        this.machinery = machinery;
        this.all = all;
        this.maxConnections = maxConnections;
        this.rate = new ConnectionRate(machinery.surroundings().ticker().getAsLong());
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        Channel channel = ctx.channel();
        ctx.pipeline().remove(this);
        Listener.Settings settings = listener.settings();
        if (admit(channel, settings.config())) {
            switch (settings.config().destinations()) {
                case LISTENER -> start(channel, settings, local(channel), remote(channel));
                case KERNEL ->
                    start(
                            channel,
                            settings,
                            OriginalDestination.of(channel).orElseGet(() -> local(channel)),
                            remote(channel));
                case PROXY_PROTOCOL -> channel.pipeline().addLast(proxyProtocol(channel, settings));
            }
        }
    }

    private boolean admit(Channel channel, ListenerConfig config) {
        String refusal = refusal(config);
        if (refusal.isEmpty()) {
            channel.closeFuture().addListener(_ -> {
                here.leave();
                all.leave();
            });
            return true;
        }
        machinery
                .telemetry()
                .turnedAway(
                        config.direction(),
                        config.name(),
                        refusal,
                        limit(refusal, config.limits()) + ", and the last one is " + AddressText.of(remote(channel)),
                        machinery.surroundings().ticker().getAsLong());
        Refusal.reset(channel);
        return false;
    }

    /** Why not; empty if the connection may come in, and then it is counted. */
    private String refusal(ListenerConfig config) {
        if (!rate.admit(config.limits(), machinery.surroundings().ticker().getAsLong())) {
            return RATE;
        }
        if (!here.enter(config.limits().maxConnections())) {
            return LISTENER;
        }
        if (!all.enter(maxConnections)) {
            here.leave();
            return ALL;
        }
        return "";
    }

    /** Which limit it was, for who may have to raise it. */
    private String limit(String refusal, ListenerConfig.Limits limits) {
        return switch (refusal) {
            case RATE -> "one each " + limits.every().toMillis() + " ms, at most " + limits.burst() + " at once";
            case LISTENER -> "the listener has all its " + limits.maxConnections();
            default -> "the proxy has all its " + maxConnections;
        };
    }

    private ProxyProtocolHandler proxyProtocol(Channel channel, Listener.Settings settings) {
        return new ProxyProtocolHandler(settings.timeouts().header(), new ProxyProtocolHandler.Outcome() {
            @Override
            public void read(Optional<ProxiedAddresses> addresses) {
                start(
                        channel,
                        settings,
                        addresses.map(ProxiedAddresses::destination).orElseGet(() -> local(channel)),
                        addresses.map(ProxiedAddresses::source).orElseGet(() -> remote(channel)));
            }

            @Override
            public void refused(String because) {
                Session session = open(channel, settings, local(channel), remote(channel));
                Refusal.refuse(session, machinery, "proxy-protocol", because);
            }
        });
    }

    private Session open(
            Channel channel, Listener.Settings settings, InetSocketAddress destination, InetSocketAddress client) {
        ListenerConfig config = settings.config();
        Accepted accepted = new Accepted(
                config.direction(),
                config.name(),
                client,
                destination,
                machinery.surroundings().ticker().getAsLong());
        Session session = machinery.sessions().open(accepted, channel);
        session.ifItLasts(() -> machinery.transport().easeIfLocal(channel));
        channel.closeFuture().addListener(_ -> machinery.sessions().close(session));
        return session;
    }

    private void start(
            Channel channel, Listener.Settings settings, InetSocketAddress destination, InetSocketAddress client) {
        Session session = open(channel, settings, destination, client);
        GatewayChains gateway = settings.gateway();
        if (gateway != null) {
            GatewayFlow.start(session, machinery, settings.timeouts(), gateway);
            return;
        }
        switch (settings.config().direction()) {
            case INBOUND ->
                InboundFlow.start(
                        session,
                        machinery,
                        settings.timeouts(),
                        settings.config().routing());
            case OUTBOUND ->
                OutboundFlow.start(
                        session,
                        machinery,
                        settings.timeouts(),
                        settings.config().routing());
        }
    }

    private static InetSocketAddress local(Channel channel) {
        return (InetSocketAddress) channel.localAddress();
    }

    private static InetSocketAddress remote(Channel channel) {
        // None if the client is gone already.
        return channel.remoteAddress() instanceof InetSocketAddress client ? client : new InetSocketAddress(0);
    }
}
