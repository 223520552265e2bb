package io.parley.proxy.config.xds;

import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.UpstreamTls;
import io.parley.proxy.config.xds.ReadCluster.Members;
import io.parley.proxy.config.xds.ReadCluster.Outside;
import io.parley.proxy.config.xds.ReadCluster.Peer;
import io.parley.proxy.tls.PeerIdentity;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts a cluster together with its endpoints and secrets. */
final class ClusterAssembly {
    private final Book book;
    private final Secrets secrets;
    private final boolean gateway;

    ClusterAssembly(Book book) {
        this.book = book;
        this.secrets = new Secrets(book.secrets());
        this.gateway = book.isGateway();
    }

    /** Empty if something of it is not there yet, or if it has no endpoints of its own. */
    Optional<ClusterConfig> cluster(ReadCluster cluster) {
        if (cluster.unusable() != null) {
            return Optional.of(config(cluster, List.of()));
        }
        return switch (cluster.members()) {
            case Members.AsDialled() -> Optional.empty();
            case Members.Listed(var listed) -> withEndpoints(cluster, listed);
            case Members.Discovered(var service) ->
                Optional.ofNullable(book.endpoints().get(service)).flatMap(found -> withEndpoints(cluster, found));
        };
    }

    private Optional<ClusterConfig> withEndpoints(ReadCluster cluster, List<ReadEndpoint> read) {
        try {
            return Optional.of(config(cluster, read));
        } catch (NotYet e) {
            return Optional.empty();
        }
    }

    private ClusterConfig config(ReadCluster cluster, List<ReadEndpoint> read) {
        Version version = version(cluster);
        UpstreamTls tls = cluster.outside() == null ? null : tls(cluster.outside(), version);
        List<Endpoint> endpoints = new ArrayList<>();
        List<Integer> weights = new ArrayList<>();
        for (ReadEndpoint one : read) {
            endpoint(one, cluster.peer(), tls).ifPresent(endpoint -> {
                endpoints.add(endpoint);
                weights.add(one.weight());
            });
        }
        boolean turns = gateway && cluster.turns() == ReadCluster.Turns.TAKEN;
        return new ClusterConfig(
                cluster.name(),
                endpoints,
                cluster.breaker(),
                cluster.http().in(version, gateway ? cluster.otherwise() : null),
                turns ? new Balancing.InTurn(weights) : new Balancing.LeastLoaded(),
                cluster.connect(),
                cluster.unusable());
    }

    /**
     * Beside an application HTTP goes on as it came to proxies of the mesh, who take both; a gateway, and whoever speaks to others, does
     * what is written. Nothing is agreed on without TLS.
     */
    private Version version(ReadCluster cluster) {
        Version declared = cluster.version();
        if (!gateway) {
            if (cluster.outside() == null) {
                return Version.AS_RECEIVED;
            }
            return declared == null || declared == Version.AS_RECEIVED ? Version.NEGOTIATED : declared;
        }
        return declared == null || (declared == Version.NEGOTIATED && cluster.outside() == null)
                ? Version.HTTP1
                : declared;
    }

    private UpstreamTls tls(Outside outside, Version version) {
        List<String> usual = switch (version) {
            case HTTP2 -> List.of("h2");
            case HTTP1 -> List.of("http/1.1");
            case NEGOTIATED, AS_RECEIVED -> List.of("h2", "http/1.1");
        };
        return new UpstreamTls(
                outside.serverName(),
                secrets.authorities(outside.trust()),
                outside.names(),
                // A sidecar is told all that may be offered: what it carries need not be HTTP.
                outside.protocols().isEmpty() && gateway ? usual : outside.protocols(),
                outside.own() == null ? null : secrets.credentials(outside.own()));
    }

    private static InetSocketAddress proxy(ReadEndpoint read) {
        InetSocketAddress address = read.address();
        return address.isUnresolved()
                ? InetSocketAddress.createUnresolved(address.getHostString(), read.inboundPort())
                : new InetSocketAddress(address.getAddress(), read.inboundPort());
    }

    /** An endpoint that must be spoken to by mutual TLS, and of which nobody says who it is, cannot be used. */
    private static Optional<Endpoint> endpoint(ReadEndpoint read, @Nullable Peer peer, @Nullable UpstreamTls tls) {
        var identity = read.identity() != null || peer == null ? read.identity() : peer.identity();
        if (tls != null || (peer == null && (identity == null || read.inboundPort() == 0))) {
            return Optional.of(new Endpoint(read.address(), null, tls));
        }
        if (identity == null) {
            return Optional.empty();
        }
        String asked = !read.serverName().isEmpty() || peer == null ? read.serverName() : peer.serverName();
        boolean header = read.inboundPort() != 0;
        return Optional.of(new Endpoint(
                read.address(),
                new Endpoint.Mesh(
                        header ? proxy(read) : read.address(),
                        identity,
                        asked.isEmpty() ? PeerIdentity.serverName(identity) : asked,
                        header ? read.magic() : null,
                        read.name(),
                        read.hint())));
    }
}
