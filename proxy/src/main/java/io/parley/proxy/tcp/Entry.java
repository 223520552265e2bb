package io.parley.proxy.tcp;

import io.netty.handler.ssl.SslHandler;
import io.parley.agreement.reason.Decision;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.telemetry.Telemetry;
import io.parley.proxy.tls.MeshTls;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.SessionProtocol;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What every inbound connection can be subjected to: a handshake, a check of who may, a refusal. */
record Entry(Session session, Machinery machinery, Timeouts timeouts) {
    private static final String DENIED = "denied";

    void refuse(String cause, String detail) {
        Refusal.refuse(session, machinery, cause, detail);
    }

    /**
     * Shakes hands with a member of the mesh, by the bytes that are held; whoever fails is refused.
     *
     * @param hello holds the ClientHello, and leaves
     * @param next told who it is, before any byte of the application is seen
     */
    void shakeHands(DetectHandler hello, MeshTls.Listening where, Consumer<Identification> next) {
        SslHandler tls;
        try {
            tls = machinery.tls().server(session.downstream().alloc(), where);
        } catch (SSLException e) {
            refuse("tls-unavailable", String.valueOf(e.getMessage()));
            return;
        }
        HandshakeHandler.begin(session.downstream(), tls, timeouts.handshake(), new HandshakeHandler.Outcome() {
            @Override
            public void succeeded(SslHandler done) throws SSLException {
                Identification shown = Identification.of(done);
                session.identified(shown.names());
                next.accept(shown);
            }

            @Override
            public void failed(Throwable cause) {
                Refusal.refuseHandshake(session, machinery, cause);
            }
        });
        hello.letGo();
    }

    /**
     * Whether this client may use the port.
     *
     * @param number by which configuration knows the port, should the permission be revoked later
     */
    boolean admits(InboundPort port, int number, @Nullable SpiffeId client, String target) {
        boolean allowed = port.authorization().allows(client)
                && machinery.sessions().admit(session, new Session.Admitted(number, client, target));
        String name = client == null ? "" : client.toString();
        machinery
                .telemetry()
                .authorization(allowed ? Telemetry.Verdict.ALLOW : Telemetry.Verdict.DENY, target, name)
                .increment();
        return allowed;
    }

    /** Cuts off a client that may not use the port. */
    void deny(@Nullable SpiffeId client, String target) {
        refuse(DENIED, denial(client, target));
    }

    /**
     * The same when it is known what comes. A member of the mesh that asks by HTTP is told so in an answer, where it could only guess otherwise; a stranger
     * is told nothing.
     *
     * @param crossing what would take it across
     */
    void deny(@Nullable SpiffeId client, String target, Decision<Protocol> carried, Supplier<Crossing> crossing) {
        if (client == null || !machinery.http().serves(carried.value())) {
            deny(client, target);
        } else {
            Refusal.tell(session, machinery, DENIED, denial(client, target));
            crossing.get().deny(carried);
        }
    }

    private static String denial(@Nullable SpiffeId client, String target) {
        return client == null
                ? target + " is for members of the mesh only, and the client showed no certificate"
                : target + " is not for " + client;
    }

    /** Counts a header that came, by what it says and whose it is. */
    void count(ConnectionHeader header, SpiffeId sender) {
        SessionProtocol protocol = header.protocol();
        machinery
                .telemetry()
                .header(protocol == null ? "" : protocol.toString(), header.port(), header.name(), sender.toString())
                .increment();
    }

    Crossing crossing(Crossing.Client client, Crossing.Target target, DetectHandler first) {
        return new Crossing(session, machinery, timeouts, client, target, first);
    }
}
