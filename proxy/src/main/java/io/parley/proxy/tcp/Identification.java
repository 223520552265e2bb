package io.parley.proxy.tcp;

import io.netty.handler.ssl.SslHandler;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Who a member of the mesh has shown to be in a handshake, and what was agreed on in it.
 *
 * @param names all that its certificate has, at least one
 * @param header whether a connection header comes first
 */
record Identification(List<SpiffeId> names, Header header) {
    enum Header {
        AGREED,
        NOT_AGREED
    }

    Identification {
        names = List.copyOf(names);
    }

    /** What a handshake that has just succeeded has proven. */
    static Identification of(SslHandler tls) throws SSLPeerUnverifiedException {
        return new Identification(
                PeerIdentity.allOf(tls.engine().getSession()),
                ConnectionHeader.ALPN.equals(tls.applicationProtocol()) ? Header.AGREED : Header.NOT_AGREED);
    }
}
