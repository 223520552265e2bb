package io.parley.control.gateway.xds;

import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.flag;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.parley.agreement.backend.BackendProtocol;
import io.parley.control.draft.HeaderMatchers;
import io.parley.control.gateway.attach.CheckedListener;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.route.TlsSettings;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS with those outside the mesh: certificates are people's own. */
final class PublicTls {
    private PublicTls() {}

    /** Towards a backend. */
    static TransportSocket upstream(TlsSettings tls, BackendProtocol protocol, @Nullable Name certificate) {
        CommonTlsContext.Builder common = CommonTlsContext.newBuilder().addAllAlpnProtocols(alpn(protocol));
        CertificateValidationContext.Builder validation = common.getValidationContextBuilder();
        if (tls.authorities().isEmpty()) {
            validation.setSystemRootCerts(CertificateValidationContext.SystemRootCerts.getDefaultInstance());
        } else {
            validation.getTrustedCaBuilder().setInlineString(tls.authorities());
        }
        for (BackendTlsPolicySpec.AltName name : tls.names()) {
            validation.addMatchTypedSubjectAltNames(SubjectAltNameMatcher.newBuilder()
                    .setSanType(name.uri() ? SubjectAltNameMatcher.SanType.URI : SubjectAltNameMatcher.SanType.DNS)
                    .setMatcher(HeaderMatchers.exact(name.value())));
        }
        if (certificate != null) {
            common.addTlsCertificateSdsSecretConfigs(secret(certificate));
        }
        return socket(UpstreamTlsContext.newBuilder()
                .setCommonTlsContext(common)
                .setSni(tls.hostname())
                .build());
    }

    private static List<String> alpn(BackendProtocol protocol) {
        return switch (protocol) {
            case HTTP1_TLS -> List.of("http/1.1");
            case H2 -> List.of("h2");
            case NEGOTIATED -> List.of("h2", "http/1.1");
            case HTTP1, H2C, WEBSOCKET, TCP, UDP -> List.of();
        };
    }

    /** From clients. */
    static TransportSocket downstream(CheckedListener listener, List<String> alpn) {
        CommonTlsContext.Builder common = CommonTlsContext.newBuilder().addAllAlpnProtocols(alpn);
        listener.certificates().forEach(name -> common.addTlsCertificateSdsSecretConfigs(secret(name)));
        DownstreamTlsContext.Builder context = DownstreamTlsContext.newBuilder();
        CheckedListener.ClientCheck clients = listener.clients();
        if (clients != null) {
            common.getValidationContextBuilder().getTrustedCaBuilder().setInlineString(clients.authorities());
            context.setRequireClientCertificate(flag(clients.required()));
        }
        return socket(context.setCommonTlsContext(common).build());
    }

    private static SdsSecretConfig secret(Name name) {
        return SdsSecretConfig.newBuilder()
                .setName(name.toString())
                .setSdsConfig(ads())
                .build();
    }

    private static TransportSocket socket(Message context) {
        return TransportSocket.newBuilder()
                .setName("envoy.transport_sockets.tls")
                .setTypedConfig(any(context))
                .build();
    }
}
