package io.parley.proxy.config;

import io.parley.identity.certificate.Credentials;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS with a server that is no member of the mesh.
 *
 * @param serverName what it is asked for by, and whose certificate it must show if there are no {@code names}
 * @param authorities by one of which its certificate must be signed; none means those that the system believes
 * @param names of which its certificate must have one
 * @param protocols what is offered by ALPN, the best first; none if nothing is
 * @param own what the proxy shows if the server asks; null if nothing
 */
public record UpstreamTls(
        String serverName,
        List<X509Certificate> authorities,
        List<Name> names,
        List<String> protocols,
        @Nullable Credentials own) {
    /** A name in a certificate. */
    public sealed interface Name {
        /** Of a host; {@code *.} in the certificate stands for one label. */
        record Dns(String value) implements Name {}

        /** As it is. */
        record Uri(String value) implements Name {}

        /** Whatever it says: somebody wants the name unchecked, and said so. */
        record Any() implements Name {}
    }

    static final String HTTP2 = "h2";

    UpstreamTls withoutHttp2() {
        List<String> others =
                protocols.stream().filter(each -> !each.equals(HTTP2)).toList();
        return new UpstreamTls(serverName, authorities, names, others, own);
    }

    public UpstreamTls {
        authorities = List.copyOf(authorities);
        names = List.copyOf(names);
        protocols = List.copyOf(protocols);
    }
}
