package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.flag;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsParameters;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.HeaderMatchers;
import io.parley.control.identity.XdsIdentities;
import io.parley.control.model.ExternalService;
import io.parley.control.model.Protocol;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** How TLS is spoken: with the mesh's own certificates between proxies, as they ask for it with others. */
final class TlsContexts {
    /** What a gRPC program's bootstrap calls the certificates of the mesh. */
    static final String PROVIDER = "parley";

    private static final String SYSTEM_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

    private TlsContexts() {}

    /** Towards proxies of the mesh that have one of these identities. */
    static TransportSocket upstream(Collection<String> identities, String serverName, Flavor flavor) {
        CommonTlsContext.Builder common = newest(own(flavor), flavor);
        CertificateValidationContext names = names(identities, flavor);
        if (flavor == Flavor.GRPC) {
            common.getCombinedValidationContextBuilder()
                    .setDefaultValidationContext(names.toBuilder().setCaCertificateProviderInstance(instance()));
        } else {
            common.getCombinedValidationContextBuilder()
                    .setDefaultValidationContext(names)
                    .setValidationContextSdsSecretConfig(secret(XdsIdentities.TRUST));
        }
        return socket(UpstreamTlsContext.newBuilder()
                .setCommonTlsContext(common)
                .setSni(serverName)
                .build());
    }

    /** From callers with a certificate of the mesh. */
    static TransportSocket downstream(List<String> applicationProtocols, Flavor flavor) {
        CommonTlsContext.Builder common = own(flavor).addAllAlpnProtocols(applicationProtocols);
        if (flavor == Flavor.GRPC) {
            common.getValidationContextBuilder().setCaCertificateProviderInstance(instance());
        } else {
            common.setValidationContextSdsSecretConfig(secret(XdsIdentities.TRUST));
        }
        return socket(DownstreamTlsContext.newBuilder()
                .setCommonTlsContext(common)
                .setRequireClientCertificate(flag(true))
                .build());
    }

    /** Towards something outside the mesh that goes by this name and takes this protocol. */
    static TransportSocket external(
            ExternalService external, ExternalService.Tls tls, String name, Protocol protocol, Flavor flavor) {
        CommonTlsContext.Builder common =
                newest(CommonTlsContext.newBuilder(), flavor).addAllAlpnProtocols(offered(protocol));
        CertificateValidationContext.Builder validation = CertificateValidationContext.newBuilder();
        // Our own check the name that they ask for, unless told otherwise.
        if (!tls.skipHostnameVerification() && flavor != Flavor.PARLEY) {
            boolean number = ClusterFactory.isNumber(name);
            validation.addMatchTypedSubjectAltNames(SubjectAltNameMatcher.newBuilder()
                    .setSanType(number ? SubjectAltNameMatcher.SanType.IP_ADDRESS : SubjectAltNameMatcher.SanType.DNS)
                    .setMatcher(HeaderMatchers.exact(name)));
        }
        if (tls.authorities() != null) {
            common.getCombinedValidationContextBuilder()
                    .setDefaultValidationContext(validation)
                    .setValidationContextSdsSecretConfig(secret(ExternalSecrets.authorities(external)));
        } else {
            if (flavor == Flavor.ENVOY) {
                validation.getTrustedCaBuilder().setFilename(SYSTEM_AUTHORITIES);
            } else {
                validation.setSystemRootCerts(CertificateValidationContext.SystemRootCerts.getDefaultInstance());
            }
            common.setValidationContext(validation);
        }
        if (tls.certificate() != null) {
            common.addTlsCertificateSdsSecretConfigs(secret(ExternalSecrets.certificate(external)));
        }
        return socket(UpstreamTlsContext.newBuilder()
                .setCommonTlsContext(common)
                .setSni(name)
                .build());
    }

    /** What the two sides may agree on; bytes that are no HTTP have no name there. */
    private static List<String> offered(Protocol protocol) {
        return switch (protocol) {
            case HTTP1 -> List.of("http/1.1");
            case HTTP2, GRPC -> List.of("h2");
            case DETECT -> List.of("h2", "http/1.1");
            case OPAQUE, TLS -> List.of();
        };
    }

    private static CommonTlsContext.Builder own(Flavor flavor) {
        CommonTlsContext.Builder common = CommonTlsContext.newBuilder();
        return flavor == Flavor.GRPC
                ? common.setTlsCertificateProviderInstance(instance())
                : common.addTlsCertificateSdsSecretConfigs(secret(XdsIdentities.IDENTITY));
    }

    /**
     * As a client Envoy stops at TLS 1.2 unless it is told otherwise: servers that have only 1.3 are not reached, and certificates of callers go
     * over the wire in clear.
     */
    private static CommonTlsContext.Builder newest(CommonTlsContext.Builder common, Flavor flavor) {
        if (flavor == Flavor.ENVOY) {
            common.getTlsParamsBuilder().setTlsMaximumProtocolVersion(TlsParameters.TlsProtocol.TLSv1_3);
        }
        return common;
    }

    @SuppressWarnings("deprecation") // gRPC reads the names of peers from the older field only (gRFC A29)
    private static CertificateValidationContext names(Collection<String> identities, Flavor flavor) {
        CertificateValidationContext.Builder names = CertificateValidationContext.newBuilder();
        for (String identity : new TreeSet<>(identities)) {
            if (flavor == Flavor.GRPC) {
                names.addMatchSubjectAltNames(HeaderMatchers.exact(identity));
            } else {
                names.addMatchTypedSubjectAltNames(SubjectAltNameMatcher.newBuilder()
                        .setSanType(SubjectAltNameMatcher.SanType.URI)
                        .setMatcher(HeaderMatchers.exact(identity)));
            }
        }
        return names.build();
    }

    private static CertificateProviderPluginInstance instance() {
        return CertificateProviderPluginInstance.newBuilder()
                .setInstanceName(PROVIDER)
                .build();
    }

    private static SdsSecretConfig secret(String name) {
        return SdsSecretConfig.newBuilder().setName(name).setSdsConfig(ads()).build();
    }

    private static TransportSocket socket(Message context) {
        return TransportSocket.newBuilder()
                .setName("envoy.transport_sockets.tls")
                .setTypedConfig(any(context))
                .build();
    }
}
