package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.pool.Dialling;
import io.parley.proxy.tls.MeshTls;
import io.parley.proxy.tls.PublicTls;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Dials for requests: what will be spoken is known before. */
public final class PooledDialling implements Dialling {
    private final Transport transport;
    private final Dialler dialler;
    private final OwnAddresses own;
    private final Supplier<Timeouts> timeouts;
    private final MeshTls tls;

    public PooledDialling(
            Transport transport, MeshTls tls, PublicTls outside, OwnAddresses own, Supplier<Timeouts> timeouts) {
        this.transport = transport;
        this.dialler = new Dialler(transport, tls, outside, own);
        this.own = own;
        this.tls = tls;
        this.timeouts = timeouts;
    }

    /** Fails closed: once the proxy's certificate is over, a connection that it opened is not used in its name. */
    @Override
    public boolean permits(Endpoint endpoint) {
        return endpoint.mesh() == null || tls.isUsable();
    }

    @Override
    public void dial(
            EventLoop loop,
            Endpoint endpoint,
            @Nullable Duration connect,
            @Nullable SessionProtocol protocol,
            Outcome outcome) {
        Endpoint reachable = own.reachable(protocol == SessionProtocol.HTTP2 ? endpoint : endpoint.offeringHttp1());
        if (own.isOwn(reachable.dialled())) {
            outcome.failed(
                    new IOException("a connection to " + reachable.dialled() + " would come back to this proxy"));
            return;
        }
        dialler.dial(
                loop,
                reachable,
                timeouts.get().withConnect(connect),
                offer(protocol),
                () -> header(reachable, protocol),
                new Dialler.Outcome() {
                    @Override
                    public void connected(Channel channel) {
                        transport.easeIfLocal(channel);
                        outcome.connected(channel);
                    }

                    @Override
                    public void failed(Throwable cause) {
                        outcome.failed(cause);
                    }
                });
    }

    private static ConnectionHeader header(Endpoint endpoint, @Nullable SessionProtocol protocol) {
        Endpoint.Mesh mesh = Objects.requireNonNull(endpoint.mesh());
        boolean opaque = mesh.hint() == Protocol.OPAQUE;
        return new ConnectionHeader(
                Objects.requireNonNull(mesh.magic(), "asked only where a header is read"),
                endpoint.address().getPort(),
                mesh.name(),
                opaque ? null : protocol,
                protocol == null && !opaque ? Stage.UNDECIDED : Stage.SETTLED);
    }

    private static MeshTls.Offer offer(@Nullable SessionProtocol protocol) {
        return switch (protocol) {
            case HTTP1 -> MeshTls.Offer.HTTP1;
            case HTTP2 -> MeshTls.Offer.HTTP2;
            case null -> MeshTls.Offer.NOTHING;
        };
    }
}
