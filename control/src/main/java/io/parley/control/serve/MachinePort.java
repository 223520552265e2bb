package io.parley.control.serve;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerTlsConfig;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.ServerServiceDefinition;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.parley.control.access.Caller;
import io.parley.control.connection.ConnectionLimits;
import io.parley.identity.certificate.KeyStores;
import io.parley.identity.token.Subject;
import io.parley.link.server.AcceptLoops;
import io.parley.link.server.LinkEndpoint;
import io.parley.sync.global.GlobalSync;
import io.parley.xds.server.ServerLimits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The TLS port of everything that machines speak: links by WebSocket, and gRPC services, each for those whom it concerns. */
public final class MachinePort {
    private static final Duration DEAD_PEER = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final int MAX_STREAMS = 1_000;
    private static final int MAX_CONNECTIONS = 50_000;

    /** A certificate is asked for, and judged by the service that is called: each trusts other authorities. */
    private static final ServerTlsConfig ASK_FOR_CERTIFICATE = ServerTlsConfig.builder()
            .clientAuth(ClientAuth.OPTIONAL)
            .tlsCustomizer(
                    tls -> tls.keyStoreType(KeyStores.IN_MEMORY).trustManager(InsecureTrustManagerFactory.INSTANCE))
            .build();

    /** For whom a service is. */
    public enum Audience {
        DATAPLANE("a data plane's token", ServerLimits.DEFAULT.requestBytes()),
        ZONE("a zone's token", GlobalSync.MAX_MESSAGE_BYTES),
        ADMINISTRATOR("an administrator's token", 4 << 20);

        final String expected;
        final int maxMessageBytes;

        Audience(String expected, int maxMessageBytes) {
            this.expected = expected;
            this.maxMessageBytes = maxMessageBytes;
        }

        boolean admits(Subject subject) {
            return switch (subject) {
                case Subject.Dataplane _, Subject.Gateway _, Subject.ZoneProxy _ -> this == DATAPLANE;
                // Only a link says which of them it is before it is let in.
                case Subject.Service _ -> false;
                case Subject.Zone _ -> this == ZONE;
                // What is shown there is of all nodes: nothing for a tenant's own administrator.
                case Subject.User user ->
                    this == ADMINISTRATOR
                            && user.tenant().isEmpty()
                            && Caller.of(user).isAdmin();
            };
        }
    }

    private MachinePort() {}

    /**
     * Where to listen.
     *
     * @param machines with TLS
     * @param localXds in clear, on loopback, for xDS clients only; null for nowhere
     */
    public record Addresses(
            InetSocketAddress machines, @Nullable InetSocketAddress localXds) {}

    /**
     * A server that is not started yet.
     *
     * @param leaving whether it is about to be stopped
     */
    static Server server(
            Addresses addresses,
            TlsProvider certificate,
            LinkEndpoint links,
            Map<Audience, List<ServerServiceDefinition>> services,
            NodeTokens tokens,
            OpenCalls open,
            BooleanSupplier leaving) {
        ServerBuilder builder = Server.builder()
                .port(addresses.machines(), SessionProtocol.HTTPS)
                .tlsProvider(certificate, ASK_FOR_CERTIFICATE)
                .requestTimeout(Duration.ZERO)
                .maxRequestLength(0)
                .idleTimeout(IDLE)
                .pingInterval(DEAD_PEER)
                .http2MaxStreamsPerConnection(MAX_STREAMS)
                .gracefulShutdownTimeout(Duration.ZERO, DRAIN)
                .bossGroupFactory(AcceptLoops::named)
                .service(LinkEndpoint.PATH, links.httpService());
        ConnectionLimits.addTo(builder, MAX_CONNECTIONS);
        if (addresses.localXds() != null) {
            builder.port(addresses.localXds(), SessionProtocol.HTTP);
        }
        services.forEach((audience, definitions) -> {
            var access = new GrpcAccess(tokens, audience, open);
            var grpc = new GrpcOnDemand(definitions, () -> grpc(definitions, audience.maxMessageBytes, leaving));
            builder.service(grpc, service -> service.decorate(access));
        });
        return builder.build();
    }

    private static HttpService grpc(
            List<ServerServiceDefinition> definitions, int maxMessageBytes, BooleanSupplier leaving) {
        // Without JSON, which nobody speaks here, no marshaller is generated for each of Envoy's messages.
        return GrpcService.builder()
                .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
                .addServiceDefinitions(definitions)
                .intercept(new GrpcAccess.Handover(leaving))
                .maxRequestMessageLength(maxMessageBytes)
                .build();
    }
}
