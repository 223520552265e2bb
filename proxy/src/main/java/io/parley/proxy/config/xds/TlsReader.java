package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.config.ServerTls.Demand;
import io.parley.proxy.config.UpstreamTls.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads TLS that is not the mesh's: between a gateway and its clients, and between it and its backends. */
final class TlsReader {
    private static final Set<String> PROTOCOLS = Set.of("h2", "http/1.1");

    private final Reading reading;

    TlsReader(Reading reading) {
        this.reading = reading;
    }

    ReadGateway.Tls server(DownstreamTlsContext tls, String path) {
        CommonTlsContext common = tls.getCommonTlsContext();
        List<String> certificates = certificates(common);
        if (certificates.isEmpty()) {
            reading.fail(
                    path + ".common_tls_context.tls_certificate_sds_secret_configs",
                    "none (expected: the name of at least one secret)");
        }
        requireAnyClient(common, path + ".common_tls_context", reading);
        boolean required = tls.getRequireClientCertificate().getValue();
        ReadTrust clients = trust(common, path + ".common_tls_context");
        if (required && clients == null) {
            reading.fail(
                    path + ".require_client_certificate", "true without authorities (expected: a validation context)");
        }
        return new ReadGateway.Tls(
                certificates,
                protocols(common, path + ".common_tls_context"),
                clients,
                required ? Demand.REQUIRED : Demand.OPTIONAL);
    }

    /** Clients are not told apart by the names in their certificates here: whoever thinks so would let in too many. */
    static void requireAnyClient(CommonTlsContext common, String path, Reading reading) {
        if (validation(common).getMatchTypedSubjectAltNamesCount() > 0) {
            reading.fail(path + ".match_typed_subject_alt_names", "set (expected: none for clients)");
        }
    }

    ReadCluster.Outside client(UpstreamTlsContext tls, String path) {
        CommonTlsContext common = tls.getCommonTlsContext();
        String at = path + ".common_tls_context";
        ReadTrust trust = trust(common, at);
        if (trust == null) {
            // Whoever forgets this must not find himself talking to anybody at all.
            reading.fail(at, "nobody is believed (expected: trusted_ca, system_root_certs or a secret)");
        }
        if (tls.getSni().isEmpty()) {
            reading.fail(path + ".sni", "empty (expected: the name that the server is asked for by)");
        }
        List<String> own = certificates(common);
        return new ReadCluster.Outside(
                tls.getSni(),
                trust == null ? new ReadTrust.Roots() : trust,
                names(validation(common), at),
                protocols(common, at),
                own.isEmpty() ? null : own.getFirst());
    }

    private static List<String> certificates(CommonTlsContext common) {
        return common.getTlsCertificateSdsSecretConfigsList().stream()
                .map(SdsSecretConfig::getName)
                .toList();
    }

    private static CertificateValidationContext validation(CommonTlsContext common) {
        return common.hasCombinedValidationContext()
                ? common.getCombinedValidationContext().getDefaultValidationContext()
                : common.getValidationContext();
    }

    private @Nullable ReadTrust trust(CommonTlsContext common, String path) {
        if (common.hasValidationContextSdsSecretConfig()) {
            return new ReadTrust.Named(
                    common.getValidationContextSdsSecretConfig().getName());
        }
        if (common.hasCombinedValidationContext()
                && common.getCombinedValidationContext().hasValidationContextSdsSecretConfig()) {
            return new ReadTrust.Named(common.getCombinedValidationContext()
                    .getValidationContextSdsSecretConfig()
                    .getName());
        }
        CertificateValidationContext validation = validation(common);
        if (!validation.hasTrustedCa()) {
            return validation.hasSystemRootCerts() ? new ReadTrust.Roots() : null;
        }
        try {
            return new ReadTrust.Inline(Pem.certificates(ReadSecret.text(validation.getTrustedCa())));
        } catch (IllegalArgumentException e) {
            reading.fail(path + ".validation_context.trusted_ca", String.valueOf(e.getMessage()));
            return null;
        }
    }

    private List<Name> names(CertificateValidationContext validation, String path) {
        List<Name> names = new ArrayList<>();
        for (SubjectAltNameMatcher matcher : validation.getMatchTypedSubjectAltNamesList()) {
            String exact = matcher.getMatcher().getExact();
            switch (matcher.getSanType()) {
                case DNS -> names.add(new Name.Dns(exact));
                case URI -> names.add(new Name.Uri(exact));
                default ->
                    reading.fail(
                            path + ".match_typed_subject_alt_names",
                            matcher.getSanType() + " (expected: DNS or URI, exact)");
            }
            if (matcher.getMatcher().getIgnoreCase()) {
                reading.fail(path + ".match_typed_subject_alt_names", "ignore_case (expected: false)");
            }
            if (exact.isEmpty()) {
                reading.fail(path + ".match_typed_subject_alt_names", "no exact name (expected: exact)");
            }
        }
        return names;
    }

    private List<String> protocols(CommonTlsContext common, String path) {
        common.getAlpnProtocolsList().stream()
                .filter(protocol -> !PROTOCOLS.contains(protocol))
                .forEach(protocol ->
                        reading.fail(path + ".alpn_protocols", protocol + " (expected: one of " + PROTOCOLS + ")"));
        return List.copyOf(common.getAlpnProtocolsList());
    }
}
