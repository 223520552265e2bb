package io.parley.proxy.config.xds;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.trace.v3.OpenTelemetryConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig;
import io.envoyproxy.envoy.extensions.access_loggers.file.v3.FileAccessLog;
import io.envoyproxy.envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig;
import io.envoyproxy.envoy.extensions.access_loggers.stream.v3.StdoutAccessLog;
import io.envoyproxy.envoy.extensions.filters.http.buffer.v3.Buffer;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.Cors;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.filters.listener.http_inspector.v3.HttpInspector;
import io.envoyproxy.envoy.extensions.filters.listener.original_dst.v3.OriginalDst;
import io.envoyproxy.envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol;
import io.envoyproxy.envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState;
import io.envoyproxy.envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.parley.xds.client.resource.NestedTypes;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types that may stand where Envoy's API leaves the type open. */
final class KnownTypes {
    static final Map<String, Message> BY_NAME = Stream.<Message>of(
                    OriginalDst.getDefaultInstance(),
                    ProxyProtocol.getDefaultInstance(),
                    TlsInspector.getDefaultInstance(),
                    HttpInspector.getDefaultInstance(),
                    TcpProxy.getDefaultInstance(),
                    HttpConnectionManager.getDefaultInstance(),
                    RBAC.getDefaultInstance(),
                    LocalRateLimit.getDefaultInstance(),
                    ConnectionLimit.getDefaultInstance(),
                    DownstreamTlsContext.getDefaultInstance(),
                    UpstreamTlsContext.getDefaultInstance(),
                    HttpProtocolOptions.getDefaultInstance(),
                    FileAccessLog.getDefaultInstance(),
                    OpenTelemetryAccessLogConfig.getDefaultInstance(),
                    OpenTelemetryConfig.getDefaultInstance(),
                    ZipkinConfig.getDefaultInstance(),
                    StdoutAccessLog.getDefaultInstance(),
                    Router.getDefaultInstance(),
                    HTTPFault.getDefaultInstance(),
                    io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit.getDefaultInstance(),
                    io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC.getDefaultInstance(),
                    RBACPerRoute.getDefaultInstance(),
                    Buffer.getDefaultInstance(),
                    Cors.getDefaultInstance(),
                    CorsPolicy.getDefaultInstance(),
                    UdpProxyConfig.getDefaultInstance(),
                    StatefulSession.getDefaultInstance(),
                    StatefulSessionPerRoute.getDefaultInstance(),
                    CookieBasedSessionState.getDefaultInstance(),
                    HeaderBasedSessionState.getDefaultInstance(),
                    PreviousHostsPredicate.getDefaultInstance())
            .collect(Collectors.toUnmodifiableMap(
                    message -> message.getDescriptorForType().getFullName(), Function.identity()));

    private KnownTypes() {}

    /** Opens what {@link Subset} has looked into before. */
    static Message open(Any any) {
        Message prototype = BY_NAME.get(NestedTypes.nameOf(any));
        try {
            if (prototype != null) {
                return prototype.getParserForType().parseFrom(any.getValue());
            }
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("read a moment ago: " + any.getTypeUrl(), e);
        }
        throw new IllegalStateException("not known: " + any.getTypeUrl());
    }
}
