package io.parley.proxy.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.parley.identity.certificate.Credentials;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.config.UpstreamTls;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A gateway's side of the handshakes with its clients, made ready. */
public final class TlsServer {
    private record Shown(X509Certificate leaf, SslContext context) {}

    private final List<Shown> all;

    private TlsServer(List<Shown> all) {
        this.all = List.copyOf(all);
    }

    /** Throws if a key does not fit its certificate, or there is none. */
    public static TlsServer of(ServerTls tls) throws SSLException {
        List<Shown> all = new ArrayList<>();
        for (Credentials credentials : tls.certificates()) {
            all.add(new Shown(credentials.leaf(), context(credentials, tls)));
        }
        if (all.isEmpty()) {
            throw new SSLException("no certificate (expected: at least one)");
        }
        return new TlsServer(all);
    }

    private static SslContext context(Credentials shown, ServerTls tls) throws SSLException {
        SslContextBuilder builder = PublicTls.common(
                SslContextBuilder.forServer(shown.key(), shown.chain().toArray(X509Certificate[]::new)),
                tls.protocols());
        ServerTls.Clients clients = tls.clients();
        // Where a client may come without a certificate, or with any, nothing depends on it: then none is asked for.
        if (clients != null && clients.demand() == ServerTls.Demand.REQUIRED) {
            builder.trustManager(new PathTrust(clients.authorities())).clientAuth(ClientAuth.REQUIRE);
        }
        return FullHandshakes.only(builder.build());
    }

    /** A handler for a client that asks for this name, or for none. */
    public SslHandler handler(ByteBufAllocator allocator, @Nullable String serverName) {
        Shown chosen = all.getFirst();
        if (serverName != null && all.size() > 1) {
            var name = new UpstreamTls.Name.Dns(serverName);
            chosen = all.stream()
                    .filter(one -> SubjectNames.has(one.leaf, name))
                    .findFirst()
                    .orElse(chosen);
        }
        return FullHandshakes.only(chosen.context.newHandler(allocator));
    }
}
