package io.parley.control.draft;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.trace.v3.DatadogConfig;
import io.envoyproxy.envoy.config.trace.v3.OpenTelemetryConfig;
import io.envoyproxy.envoy.config.trace.v3.ZipkinConfig;
import io.envoyproxy.envoy.extensions.access_loggers.file.v3.FileAccessLog;
import io.envoyproxy.envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.listener.http_inspector.v3.HttpInspector;
import io.envoyproxy.envoy.extensions.filters.listener.original_dst.v3.OriginalDst;
import io.envoyproxy.envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig;
import io.envoyproxy.envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate;
import io.envoyproxy.envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.util.List;

/** Envoy messages as JSON, with the extensions that we generate inside them readable. */
public final class EnvoyJson {
    private static final TypeRegistry TYPES = TypeRegistry.newBuilder()
            .add(List.of(
                    HttpConnectionManager.getDescriptor(),
                    TcpProxy.getDescriptor(),
                    Router.getDescriptor(),
                    HTTPFault.getDescriptor(),
                    ConnectionLimit.getDescriptor(),
                    io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC.getDescriptor(),
                    io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC.getDescriptor(),
                    io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit.getDescriptor(),
                    io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit.getDescriptor(),
                    HttpInspector.getDescriptor(),
                    TlsInspector.getDescriptor(),
                    OriginalDst.getDescriptor(),
                    RawBuffer.getDescriptor(),
                    DownstreamTlsContext.getDescriptor(),
                    UpstreamTlsContext.getDescriptor(),
                    HttpProtocolOptions.getDescriptor(),
                    FileAccessLog.getDescriptor(),
                    OpenTelemetryAccessLogConfig.getDescriptor(),
                    ZipkinConfig.getDescriptor(),
                    DatadogConfig.getDescriptor(),
                    OpenTelemetryConfig.getDescriptor(),
                    PreviousHostsPredicate.getDescriptor(),
                    OmitHostMetadataConfig.getDescriptor(),
                    PreviousPrioritiesConfig.getDescriptor()))
            .build();

    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().usingTypeRegistry(TYPES);
    private static final JsonFormat.Parser PARSER = JsonFormat.parser().usingTypeRegistry(TYPES);

    private EnvoyJson() {}

    public static String print(Message message) throws InvalidProtocolBufferException {
        return PRINTER.print(message);
    }

    /** Reads fields into a message; those that are not named stay as they are. */
    public static void read(String json, Message.Builder into) throws InvalidProtocolBufferException {
        PARSER.merge(json, into);
    }
}
