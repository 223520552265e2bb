package io.parley.proxy.config.xds;

import com.google.protobuf.Any;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.OutlierDetection;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.RoutingPriority;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.ClusterConfig.Unusable;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.xds.ReadCluster.Members;
import io.parley.proxy.config.xds.ReadCluster.Outside;
import io.parley.proxy.config.xds.ReadCluster.Peer;
import io.parley.proxy.config.xds.ReadCluster.Turns;
import io.parley.proxy.config.xds.SocketAddresses.Names;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a cluster. */
final class ClusterReader {
    private static final String HTTP = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

    /** As many at most are sent on one connection to a server, {@code io.parley.proxy.http2.Http2Client}. */
    private static final int STREAMS = 100;

    /** No kernel waits longer for an answer to its SYN. */
    private static final Duration LONGEST_CONNECT = Duration.ofHours(1);

    private static final String TLS = "transport_socket.typed_config";

    private final Cluster cluster;
    private final Reading reading;
    private final Extras extras;

    private ClusterReader(Cluster cluster, Reading reading) {
        this.cluster = cluster;
        this.reading = reading;
        this.extras = Extras.of(cluster.getMetadata(), "");
    }

    static ReadCluster read(Cluster cluster, Reading reading) {
        ClusterReader reader = new ClusterReader(cluster, reading);
        boolean outside = "public".equals(reader.extras.text("tls", reading));
        return new ReadCluster(
                cluster.getName(),
                reader.members(),
                reader.breaker(),
                outside ? null : reader.peer(),
                outside ? reader.outside() : null,
                reader.version(),
                reader.otherwise(),
                HttpUpstreamReader.read(cluster, reading),
                reader.connect(),
                cluster.getLbPolicy() == Cluster.LbPolicy.ROUND_ROBIN ? Turns.TAKEN : Turns.NOT_TAKEN,
                reader.unusable());
    }

    private @Nullable Duration connect() {
        if (!cluster.hasConnectTimeout()) {
            return null;
        }
        com.google.protobuf.Duration said = cluster.getConnectTimeout();
        Duration time =
                Duration.ofSeconds(Math.clamp(said.getSeconds(), -1, LONGEST_CONNECT.toSeconds()), said.getNanos());
        if (!time.isPositive() || time.compareTo(LONGEST_CONNECT) > 0) {
            reading.fail(
                    "connect_timeout",
                    said.getSeconds() + " s (expected: above 0, at most " + LONGEST_CONNECT.toSeconds() + " s)");
        }
        return time;
    }

    private @Nullable Unusable unusable() {
        Value status = extras.fields().getFieldsMap().get("direct_response");
        if (status == null) {
            return null;
        }
        if (status.getNumberValue() < 400 || status.getNumberValue() > 599) {
            reading.fail(
                    extras.path() + ".direct_response", status.getNumberValue() + " (expected: a status of a failure)");
        }
        return new Unusable((int) status.getNumberValue(), extras.textOr("because", "its backend is invalid", reading));
    }

    /** The second of two protocols in order of preference, where a server may speak either. */
    private @Nullable Version otherwise() {
        String order = extras.textOr("protocols", "", reading);
        return switch (order) {
            case "h2c,http1" -> Version.HTTP1;
            case "http1,h2c" -> Version.HTTP2;
            default -> null;
        };
    }

    /** Null if nothing is said. */
    private @Nullable Version version() {
        Any options = cluster.getTypedExtensionProtocolOptionsMap().get(HTTP);
        if (options == null || !(KnownTypes.open(options) instanceof HttpProtocolOptions http)) {
            return null;
        }
        requireOwnLimits(http, "typed_extension_protocol_options[" + HTTP + "].");
        return switch (http.getUpstreamProtocolOptionsCase()) {
            case EXPLICIT_HTTP_CONFIG -> explicit(http.getExplicitHttpConfig());
            case AUTO_CONFIG -> Version.NEGOTIATED;
            case USE_DOWNSTREAM_PROTOCOL_CONFIG -> Version.AS_RECEIVED;
            case UPSTREAMPROTOCOLOPTIONS_NOT_SET -> null;
        };
    }

    /** What servers may send, and be sent, is limited by the proxy itself. */
    private void requireOwnLimits(HttpProtocolOptions http, String at) {
        if (http.getCommonHttpProtocolOptions().hasMaxHeadersCount()) {
            reading.fail(at + "common_http_protocol_options.max_headers_count", "set (expected: none)");
        }
        requireManyStreams(http.getExplicitHttpConfig().getHttp2ProtocolOptions(), at + "explicit_http_config");
        requireManyStreams(http.getAutoConfig().getHttp2ProtocolOptions(), at + "auto_config");
        requireManyStreams(
                http.getUseDownstreamProtocolConfig().getHttp2ProtocolOptions(), at + "use_downstream_protocol_config");
    }

    private void requireManyStreams(Http2ProtocolOptions http2, String at) {
        int most = http2.getMaxConcurrentStreams().getValue();
        if (http2.hasMaxConcurrentStreams() && Integer.compareUnsigned(most, STREAMS) < 0) {
            reading.fail(
                    at + ".http2_protocol_options.max_concurrent_streams",
                    most + " (expected: " + STREAMS + " or more, as more are never sent on one connection)");
        }
    }

    private @Nullable Version explicit(HttpProtocolOptions.ExplicitHttpConfig explicit) {
        return switch (explicit.getProtocolConfigCase()) {
            case HTTP_PROTOCOL_OPTIONS -> Version.HTTP1;
            case HTTP2_PROTOCOL_OPTIONS -> Version.HTTP2;
            case HTTP3_PROTOCOL_OPTIONS, PROTOCOLCONFIG_NOT_SET -> {
                reading.fail(
                        "typed_extension_protocol_options[" + HTTP + "].explicit_http_config",
                        explicit.getProtocolConfigCase() + " (expected: HTTP/1.1 or HTTP/2)");
                yield null;
            }
        };
    }

    private Members members() {
        return switch (cluster.getType()) {
            case EDS -> {
                String service = cluster.getEdsClusterConfig().getServiceName();
                yield new Members.Discovered(service.isEmpty() ? cluster.getName() : service);
            }
            case STATIC -> listed(Names.REFUSED);
            case STRICT_DNS -> listed(Names.ALLOWED);
            case ORIGINAL_DST -> new Members.AsDialled();
            default -> {
                reading.fail("type", cluster.getType() + " (expected: EDS, STATIC, STRICT_DNS or ORIGINAL_DST)");
                yield new Members.AsDialled();
            }
        };
    }

    private Members listed(Names names) {
        return new Members.Listed(EndpointReader.read(cluster.getLoadAssignment(), names, "load_assignment", reading));
    }

    private Breaker breaker() {
        Breaker absent = Breaker.DEFAULT;
        CircuitBreakers.Thresholds limits = cluster.getCircuitBreakers().getThresholdsList().stream()
                .filter(one -> one.getPriority() == RoutingPriority.DEFAULT)
                .findFirst()
                .orElse(CircuitBreakers.Thresholds.getDefaultInstance());
        OutlierDetection outliers = cluster.getOutlierDetection();
        UInt32Value failures = outliers.hasConsecutiveLocalOriginFailure()
                ? outliers.getConsecutiveLocalOriginFailure()
                : outliers.getConsecutive5Xx();
        return new Breaker(
                number(limits.hasMaxConnections(), limits.getMaxConnections(), absent.maxConnections()),
                number(limits.hasMaxPendingRequests(), limits.getMaxPendingRequests(), absent.maxPending()),
                number(failures.getValue() != 0, failures, absent.failures()),
                outliers.hasBaseEjectionTime()
                        ? duration(outliers.getBaseEjectionTime(), "outlier_detection.base_ejection_time")
                        : absent.ejection(),
                Math.min(
                        100,
                        number(
                                outliers.hasMaxEjectionPercent(),
                                outliers.getMaxEjectionPercent(),
                                absent.maxEjectedPercent())));
    }

    /** Unsigned on the wire: what does not fit means no limit. */
    private static int number(boolean given, UInt32Value value, int absent) {
        if (!given) {
            return absent;
        }
        return value.getValue() < 0 ? Integer.MAX_VALUE : value.getValue();
    }

    private Duration duration(com.google.protobuf.Duration text, String path) {
        if (text.getSeconds() < 0
                || text.getNanos() < 0
                || text.getSeconds() > Duration.ofDays(365).toSeconds()) {
            reading.fail(path, text.getSeconds() + "s (expected: 0 to 365 days)");
            return Duration.ZERO;
        }
        return Duration.ofSeconds(text.getSeconds(), text.getNanos());
    }

    private @Nullable UpstreamTlsContext tls() {
        if (!cluster.hasTransportSocket()) {
            return null;
        }
        if (KnownTypes.open(cluster.getTransportSocket().getTypedConfig()) instanceof UpstreamTlsContext tls) {
            return tls;
        }
        reading.fail(TLS, "expected: an UpstreamTlsContext");
        return null;
    }

    private @Nullable Peer peer() {
        UpstreamTlsContext tls = tls();
        return tls == null
                ? null
                : new Peer(identity(tls.getCommonTlsContext(), TLS + ".common_tls_context"), tls.getSni());
    }

    private @Nullable Outside outside() {
        UpstreamTlsContext tls = tls();
        if (tls == null) {
            return null;
        }
        Outside said = new TlsReader(reading).client(tls, TLS);
        return "any".equals(extras.text("names", reading)) ? said.withAnyName() : said;
    }

    private @Nullable SpiffeId identity(CommonTlsContext tls, String path) {
        boolean combined = tls.hasCombinedValidationContext();
        List<SubjectAltNameMatcher> names = (combined
                        ? tls.getCombinedValidationContext().getDefaultValidationContext()
                        : tls.getValidationContext())
                .getMatchTypedSubjectAltNamesList();
        if (names.isEmpty()) {
            return null;
        }
        SubjectAltNameMatcher name = names.getFirst();
        String at = path + ".match_typed_subject_alt_names";
        if (names.size() != 1
                || name.getSanType() != SubjectAltNameMatcher.SanType.URI
                || !name.getMatcher().hasExact()
                || name.getMatcher().getIgnoreCase()) {
            reading.fail(at, names.size() + " names (expected: exactly one, a URI, exact)");
            return null;
        }
        try {
            return SpiffeId.parse(name.getMatcher().getExact());
        } catch (IllegalArgumentException e) {
            reading.fail(at, String.valueOf(e.getMessage()));
            return null;
        }
    }
}
