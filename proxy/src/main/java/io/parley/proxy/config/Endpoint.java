package io.parley.proxy.config;

import io.parley.identity.certificate.SpiffeId;
import io.parley.wire.header.HeaderMagic;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One place where a service is.
 *
 * @param address the application's own address and port
 * @param mesh how to reach it through the proxy beside it; null if there is none
 * @param tls how it is spoken to by TLS that is not the mesh's; null if in clear, or through that proxy
 */
public record Endpoint(
        InetSocketAddress address,
        @Nullable Mesh mesh,
        @Nullable UpstreamTls tls) {
    public Endpoint(InetSocketAddress address, @Nullable Mesh mesh) {
        this(address, mesh, null);
    }

    /**
     * A proxy before the application.
     *
     * @param proxy where that proxy takes connections with a header
     * @param identity whom its certificate must name, exactly
     * @param serverName what to ask for in the TLS handshake
     * @param magic the form of header that it reads; null if it reads none, and then {@code proxy} takes connections for one port only
     * @param name set if the proxy is a gateway: the service it shall pass the connection on to
     * @param hint what the other side declared; an opaque one keeps the session protocol out of the header
     */
    public record Mesh(
            InetSocketAddress proxy,
            SpiffeId identity,
            String serverName,
            @Nullable HeaderMagic magic,
            @Nullable String name,
            Protocol hint) {}

    /** An endpoint without a proxy. */
    public static Endpoint plain(InetSocketAddress address) {
        return new Endpoint(address, null);
    }

    /** The same, and HTTP/2 is not offered to it: what follows is HTTP/1.1. */
    public Endpoint offeringHttp1() {
        return tls == null || !tls.protocols().contains(UpstreamTls.HTTP2)
                ? this
                : new Endpoint(address, mesh, tls.withoutHttp2());
    }

    /** Whether it is on this machine as everybody sees it. */
    public boolean isLoopback() {
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    /** What a connection to it is dialled to. */
    public InetSocketAddress dialled() {
        return mesh == null ? address : mesh.proxy();
    }
}
