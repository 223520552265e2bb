package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.UpstreamTls;
import io.parley.proxy.tls.MeshTls;
import io.parley.proxy.tls.PublicTls;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeaderCodec;
import io.parley.wire.header.HeaderMagic;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to endpoints. One is open when the first byte of the application can be sent: connected, and if the endpoint
 * has a proxy before it, also encrypted, the other side proven to be who it should be, and the header written.
 */
final class Dialler {
    /** Called once, on the event loop. */
    interface Outcome {
        void connected(Channel channel);

        void failed(Throwable cause);
    }

    private final Function<InetSocketAddress, Channel> sockets;
    private final Map<ChannelOption<Integer>, Integer> keepAlive;
    private final MeshTls tls;
    private final PublicTls outside;
    private final OwnAddresses own;
    private final Names names;

    Dialler(Transport transport, MeshTls tls, PublicTls outside, OwnAddresses own) {
        this(transport::newSocket, transport.keepAlive(), tls, outside, own, Names.SYSTEM);
    }

    /** Dials with sockets that are made so, and have these options. */
    Dialler(
            Function<InetSocketAddress, Channel> sockets,
            Map<ChannelOption<Integer>, Integer> keepAlive,
            MeshTls tls,
            PublicTls outside,
            OwnAddresses own,
            Names names) {
        this.sockets = sockets;
        this.keepAlive = keepAlive;
        this.tls = tls;
        this.outside = outside;
        this.own = own;
        this.names = names;
    }

    /**
     * Dials.
     *
     * @param offer what may be agreed on with a peer that takes no header
     * @param header asked for when it is about to be written, as late as possible: by then more may be known
     * @return so that the caller can give up on it
     */
    Dial dial(
            EventLoop loop,
            Endpoint endpoint,
            Timeouts timeouts,
            MeshTls.Offer offer,
            Supplier<ConnectionHeader> header,
            Outcome outcome) {
        boolean plain = endpoint.mesh() == null && endpoint.tls() == null;
        Dial dial = new Dial(
                loop,
                to -> socket(to, timeouts, channel -> {
                    if (plain) {
                        channel.config().setAutoRead(false);
                    } else {
                        secure(channel, endpoint, timeouts, offer, header, outcome);
                    }
                }),
                names,
                own,
                plain ? outcome::connected : _ -> {},
                outcome::failed);
        dial.begin(endpoint.dialled());
        return dial;
    }

    private interface Preparation {
        void of(Channel channel) throws SSLException;
    }

    private Channel socket(InetSocketAddress to, Timeouts timeouts, Preparation preparation) throws SSLException {
        Channel channel = sockets.apply(to);
        try {
            keepAlive.forEach(channel.config()::setOption);
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            // To Netty none at all would be for ever.
            channel.config()
                    .setOption(
                            ChannelOption.CONNECT_TIMEOUT_MILLIS,
                            Math.clamp(timeouts.connect().toMillis(), 1, Integer.MAX_VALUE));
            preparation.of(channel);
            return channel;
        } catch (SSLException | RuntimeException e) {
            channel.unsafe().closeForcibly();
            throw e;
        }
    }

    private void secure(
            Channel channel,
            Endpoint endpoint,
            Timeouts timeouts,
            MeshTls.Offer offer,
            Supplier<ConnectionHeader> header,
            Outcome outcome)
            throws SSLException {
        Endpoint.Mesh mesh = endpoint.mesh();
        SslHandler handshake = mesh == null
                ? outside.client(channel.alloc(), Objects.requireNonNull(endpoint.tls()), endpoint.address())
                : tls.client(channel.alloc(), mesh, offer);
        HandshakeHandler.begin(
                channel,
                handshake,
                timeouts.handshake(),
                new Introduction(channel, endpoint, mesh == null || mesh.magic() == null ? null : header, outcome));
    }

    /** The header that Linkerd ships is written only to who agreed to read it: to anybody else it would be bytes for the application. */
    private static void verify(Endpoint.Mesh expected, SslHandler handshake) throws SSLException {
        Identification answered = Identification.of(handshake);
        if (!answered.names().contains(expected.identity())) {
            throw new SSLPeerUnverifiedException("identity: " + text(answered.names()) + " (expected: "
                    + expected.identity() + ", who was dialled)");
        }
        if (expected.magic() == HeaderMagic.SHIPPED && answered.header() == Identification.Header.NOT_AGREED) {
            String agreed = handshake.applicationProtocol();
            throw new SSLException("ALPN: " + (agreed == null ? "nothing agreed on" : agreed) + " (expected: "
                    + ConnectionHeader.ALPN + ", as the header is read by who agrees to it)");
        }
    }

    private static String text(List<SpiffeId> names) {
        return names.stream().map(SpiffeId::toString).collect(Collectors.joining(", "));
    }

    /**
     * Checks who answered, and writes the header.
     *
     * @param header null if none is written
     */
    private record Introduction(
            Channel channel, Endpoint endpoint, @Nullable Supplier<ConnectionHeader> header, Outcome outcome)
            implements HandshakeHandler.Outcome {
        @Override
        public void succeeded(SslHandler handshake) throws SSLException {
            Endpoint.Mesh mesh = endpoint.mesh();
            UpstreamTls server = endpoint.tls();
            if (mesh != null) {
                verify(mesh, handshake);
            } else if (server != null) {
                PublicTls.verify(server, handshake.engine().getSession());
            }
            if (header != null) {
                var out = channel.alloc().buffer(64);
                ConnectionHeaderCodec.write(header.get(), out);
                channel.writeAndFlush(out, channel.voidPromise());
            }
            outcome.connected(channel);
        }

        @Override
        public void failed(Throwable failure) {
            Farewell.to(channel);
            outcome.failed(failure);
        }
    }
}
