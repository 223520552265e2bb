package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.UpstreamTls;
import io.parley.proxy.tls.MeshTls;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.proxy.tls.PublicTls;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeaderCodec;
import io.parley.wire.header.HeaderMagic;
import java.io.IOException;
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
            channel.config().setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                    Math.min(Integer.MAX_VALUE, timeouts.connect().toMillis()));
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
        SslHandler handshake;
        Introduction introduction;
        if (mesh != null) {
            handshake = tls.client(channel.alloc(), mesh, offer);
            introduction =
                    new Introduction(handler -> mismatch(mesh, handler), mesh.magic() == null ? null : header, outcome);
        } else {
            UpstreamTls expected = Objects.requireNonNull(endpoint.tls());
            handshake = outside.client(channel.alloc(), expected, endpoint.address());
            introduction = new Introduction(
                    handler -> PublicTls.mismatch(expected, handler.engine().getSession()), null, outcome);
        }
        handshake.setHandshakeTimeoutMillis(timeouts.handshake().toMillis());
        channel.pipeline().addLast(handshake, introduction);
    }

    /** Finds what is wrong with who answered. */
    private interface Check {
        @Nullable
        Throwable mismatch(SslHandler handshake);
    }

    /** The header that Linkerd ships is written only to who agreed to read it: to anybody else it would be bytes for the application. */
    private static @Nullable Throwable mismatch(Endpoint.Mesh expected, SslHandler handshake) {
        try {
            List<SpiffeId> answered = PeerIdentity.allOf(handshake.engine().getSession());
            if (!answered.contains(expected.identity())) {
                return new SSLPeerUnverifiedException(
                        "identity: " + text(answered) + " (expected: " + expected.identity() + ", who was dialled)");
            }
        } catch (SSLPeerUnverifiedException e) {
            return e;
        }
        String agreed = handshake.applicationProtocol();
        return expected.magic() != HeaderMagic.SHIPPED || ConnectionHeader.ALPN.equals(agreed)
                ? null
                : new SSLException("ALPN: " + (agreed == null ? "nothing agreed on" : agreed) + " (expected: "
                        + ConnectionHeader.ALPN + ", as the header is read by who agrees to it)");
    }

    private static String text(List<SpiffeId> names) {
        return names.stream().map(SpiffeId::toString).collect(Collectors.joining(", "));
    }

    /** Sees the handshake through, checks who answered, writes the header, and leaves; if it has failed, stays: TLS reports that once more, as an error. */
    private static final class Introduction extends ChannelInboundHandlerAdapter {
        private final Check check;
        private final @Nullable Supplier<ConnectionHeader> header;
        private final Outcome outcome;
        private boolean failed;

        /** Writes no header if there is none. */
        Introduction(Check check, @Nullable Supplier<ConnectionHeader> header, Outcome outcome) {
            this.check = check;
            this.header = header;
            this.outcome = outcome;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (failed) {
                return;
            }
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                // The handshake would wait for its timeout: it does not see an end that leaves the other direction
                // open.
                fail(ctx, new IOException("the other side ended the connection before the handshake was over"));
                return;
            }
            if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
                ctx.fireUserEventTriggered(event);
                return;
            }
            Throwable failure =
                    handshake.isSuccess() ? check.mismatch(ctx.pipeline().get(SslHandler.class)) : handshake.cause();
            if (failure == null) {
                introduce(ctx);
            } else {
                fail(ctx, failure);
            }
        }

        private void fail(ChannelHandlerContext ctx, Throwable failure) {
            failed = true;
            ctx.close();
            outcome.failed(failure);
        }

        private void introduce(ChannelHandlerContext ctx) {
            if (header != null) {
                var out = ctx.alloc().buffer(64);
                ConnectionHeaderCodec.write(header.get(), out);
                ctx.writeAndFlush(out, ctx.voidPromise());
            }
            Channel channel = ctx.channel();
            ctx.pipeline().remove(this);
            outcome.connected(channel);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // The handshake's end reports it; here it would only be logged twice.
        }
    }
}
