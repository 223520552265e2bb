package io.parley.xds.server.interop;

import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.server.snapshot.Samples.listener;
import static io.parley.xds.server.snapshot.Samples.route;
import static io.parley.xds.server.snapshot.Samples.router;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.NonForwardingAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Samples;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case S24: a gRPC server that takes its listener from us, plain and with mutual TLS, and a client of it that takes the rest. */
class XdsServerPeerTest {
    private static final CommonTlsContext MESH_TLS = CommonTlsContext.newBuilder()
            .setTlsCertificateProviderInstance(instance())
            .setValidationContext(
                    CertificateValidationContext.newBuilder().setCaCertificateProviderInstance(instance()))
            .build();

    @TempDir
    private Path folder;

    @Test
    void s24_plain() throws Exception {
        pairAnswers(Optional.empty(), "xds server");
    }

    @Test
    void s24_mutualTls() throws Exception {
        pairAnswers(Optional.of(TestCertificate.write(folder)), "xds server for CN=peer by TLSv1.3");
    }

    private void pairAnswers(Optional<Path> certificates, String answer) throws Exception {
        int port = freePort();
        try (ControlPlane control = new ControlPlane(mesh(port, certificates.isPresent()))) {
            Bootstrap bootstrap = new Bootstrap(control.port(), true, certificates);
            try (Peer peer = Peer.java("1.85.1", bootstrap, folder, "pair", "xds:///shop", Integer.toString(port))) {
                peer.awaitAnswerOf(answer);
                peer.assertNoFailure();
            }
        }
    }

    /** Below those that the kernel gives to whoever asks for any: nobody else is given it until it is taken. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 12_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException _) {
                // Somebody listens there: another one, then.
            }
        }
    }

    private static Snapshot mesh(int port, boolean tls) {
        Cluster.Builder cluster = Samples.clusterMessage("c");
        FilterChain.Builder chain = FilterChain.newBuilder().addFilters(manager());
        if (tls) {
            cluster.setTransportSocket(socket(Any.pack(UpstreamTlsContext.newBuilder()
                    .setCommonTlsContext(MESH_TLS)
                    .build())));
            chain.setTransportSocket(socket(Any.pack(DownstreamTlsContext.newBuilder()
                    .setCommonTlsContext(MESH_TLS)
                    .setRequireClientCertificate(BoolValue.of(true))
                    .build())));
        }
        Listener server = Listener.newBuilder()
                .setName("server/0.0.0.0:" + port)
                .setAddress(Address.newBuilder()
                        .setSocketAddress(
                                SocketAddress.newBuilder().setAddress("0.0.0.0").setPortValue(port)))
                .addFilterChains(chain)
                .build();
        return Snapshot.EMPTY
                .with(ResourceType.LISTENER, ResourceSet.of(listener("shop", "r"), EncodedResource.of(server)))
                .with(ResourceType.ROUTE, ResourceSet.of(route("r", "c")))
                .with(ResourceType.CLUSTER, ResourceSet.of(EncodedResource.of(cluster.build())))
                .with(ResourceType.ENDPOINT, ResourceSet.of(endpoints("c", port)));
    }

    private static Filter manager() {
        return Filter.newBuilder()
                .setName("http")
                .setTypedConfig(Any.pack(HttpConnectionManager.newBuilder()
                        .setStatPrefix("in")
                        .setRouteConfig(RouteConfiguration.newBuilder()
                                .setName("in")
                                .addVirtualHosts(VirtualHost.newBuilder()
                                        .setName("in")
                                        .addDomains("*")
                                        .addRoutes(Route.newBuilder()
                                                .setMatch(
                                                        RouteMatch.newBuilder().setPrefix("/"))
                                                .setNonForwardingAction(NonForwardingAction.getDefaultInstance()))))
                        .addHttpFilters(router())
                        .build()))
                .build();
    }

    private static TransportSocket socket(Any context) {
        return TransportSocket.newBuilder()
                .setName("envoy.transport_sockets.tls")
                .setTypedConfig(context)
                .build();
    }

    private static CertificateProviderPluginInstance instance() {
        return CertificateProviderPluginInstance.newBuilder()
                .setInstanceName("mesh")
                .build();
    }
}
