package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslHandler;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Direction;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.telemetry.TcpSeries;
import io.parley.proxy.tls.MeshTls;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection as the HTTP side sees it: its channel, and a place to tell what passes. */
final class HttpHandover implements Connection {
    /** Whether the client may come in. */
    enum Admission {
        GRANTED,

        /** It is to be told so. */
        DENIED
    }

    private final Session session;
    private final MeshTls tls;
    private final Agreed agreed;
    private final Crossing.Target target;
    private final DetectHandler first;
    private final TcpSeries clientSide;
    private final Admission admission;
    private final String scheme;
    private final Provenance provenance;

    HttpHandover(
            Session session,
            MeshTls tls,
            Agreed agreed,
            Crossing.Target target,
            DetectHandler first,
            TcpSeries clientSide,
            Admission admission) {
        this.session = session;
        this.tls = tls;
        this.agreed = agreed;
        this.target = target;
        this.first = first;
        this.clientSide = clientSide;
        this.admission = admission;
        HttpConfig http = target.http();
        boolean edge = http != null && http.forwarding() == HttpConfig.Forwarding.EDGE;
        this.scheme = edge && session.downstream().pipeline().get(SslHandler.class) != null ? "https" : "http";
        this.provenance = Provenance.of(session.accepted().client(), scheme);
    }

    @Override
    public Channel channel() {
        return session.downstream();
    }

    @Override
    public Protocol protocol() {
        return agreed.protocol();
    }

    @Override
    public Direction direction() {
        return session.accepted().direction();
    }

    @Override
    public @Nullable SpiffeId peer() {
        return agreed.peer();
    }

    @Override
    public @Nullable SpiffeId self() {
        return tls.identity().orElse(null);
    }

    @Override
    public List<SpiffeId> names() {
        return session.names();
    }

    @Override
    public boolean isDenied() {
        return admission == Admission.DENIED;
    }

    @Override
    public InetSocketAddress client() {
        return session.accepted().client();
    }

    @Override
    public String scheme() {
        return scheme;
    }

    @Override
    public Provenance provenance() {
        return provenance;
    }

    @Override
    public InetSocketAddress destination() {
        return session.accepted().destination();
    }

    @Override
    public int port() {
        Integer named = target.port();
        return named == null ? destination().getPort() : named;
    }

    @Override
    public String target() {
        return target.name();
    }

    @Override
    public Cluster cluster() {
        return target.cluster();
    }

    @Override
    public @Nullable HttpConfig config() {
        return target.http();
    }

    @Override
    public void handTo(ChannelHandler handler) {
        session.forwarding();
        session.carriesRequests();
        clientSide.opened().increment();
        clientSide.open().increment();
        channel().closeFuture().addListener(_ -> {
            clientSide.open().decrement();
            session.ends(Ending.CLIENT_CLOSED);
        });
        channel().pipeline().addLast(handler);
        first.letGo();
    }

    @Override
    public void received(long bytes) {
        session.addReceived(bytes);
        clientSide.read().add(bytes);
    }

    @Override
    public void sent(long bytes) {
        session.addSent(bytes);
        clientSide.written().add(bytes);
    }

    @Override
    public void chose(Endpoint endpoint) {
        session.chose(new Choice(target.name(), target.cluster().name(), endpoint));
        session.forwarding();
    }

    @Override
    public void ends(String cause, String detail) {
        session.ends(new Ending(cause, detail));
    }
}
