package io.parley.control.destination;

import io.parley.control.model.Endpoint;
import io.parley.control.model.Identities;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Names;
import io.parley.control.model.Protocol;
import io.parley.wire.destination.proto.IPAddress;
import io.parley.wire.destination.proto.IPv6;
import io.parley.wire.destination.proto.ProtocolHint;
import io.parley.wire.destination.proto.TcpAddress;
import io.parley.wire.destination.proto.TlsIdentity;
import io.parley.wire.destination.proto.WeightedAddr;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Endpoints in the words of the destination service. */
final class Addresses {
    private static final int WEIGHT = 10_000;
    /** A proxy takes this for a mistake. */
    private static final int HIGHEST_MESH_PORT = 65_534;

    private Addresses() {}

    /** An endpoint, or nothing if it has a host name in the place of an address. */
    static Optional<WeightedAddr> of(Endpoint endpoint, MeshModel mesh) {
        return tcp(endpoint.address(), endpoint.port()).map(address -> {
            WeightedAddr.Builder built =
                    WeightedAddr.newBuilder().setAddr(address).setWeight(WEIGHT * endpoint.weight());
            labels(endpoint).forEach(built::putMetricLabels);
            String identity = endpoint.identity();
            // Without an identity there is no TLS, without TLS no header: then nothing is said about either.
            if (identity != null && mesh.authority().isPresent()) {
                built.setTlsIdentity(identity(
                        identity,
                        Identities.serverName(mesh.name(), endpoint.tags().getOrDefault(Names.SERVICE, ""))));
                built.setProtocolHint(hint(endpoint));
            }
            return built.build();
        });
    }

    private static TlsIdentity identity(String uri, String serverName) {
        TlsIdentity.Builder identity = TlsIdentity.newBuilder();
        identity.getUriLikeIdentityBuilder().setUri(uri);
        identity.getServerNameBuilder().setName(serverName);
        return identity.build();
    }

    /** Opaque bytes stay as they are; what speaks HTTP/2 may be spoken to so. */
    private static ProtocolHint hint(Endpoint endpoint) {
        ProtocolHint.Builder hint = ProtocolHint.newBuilder();
        Protocol protocol = endpoint.protocol().value();
        if (protocol == Protocol.OPAQUE || protocol == Protocol.TLS) {
            hint.setOpaque(ProtocolHint.Opaque.getDefaultInstance());
        } else if (protocol == Protocol.HTTP2
                || protocol == Protocol.GRPC
                || endpoint.id().startsWith("pod/")) {
            hint.setH2(ProtocolHint.H2.getDefaultInstance());
        }
        Integer port = endpoint.meshPort();
        if (port != null && port <= HIGHEST_MESH_PORT) {
            hint.getOpaqueTransportBuilder().setInboundPort(port);
        }
        return hint.build();
    }

    private static Map<String, String> labels(Endpoint endpoint) {
        Map<String, String> labels = new TreeMap<>();
        labels.put("endpoint", endpoint.id());
        if (endpoint.zone() != null) {
            labels.put("zone", endpoint.zone());
        }
        return labels;
    }

    static Optional<TcpAddress> tcp(String host, int port) {
        // Only literals: a name would be looked up, and this thread must not wait.
        if (!host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") && host.indexOf(':') < 0) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.getByName(host).getAddress();
            IPAddress.Builder ip = IPAddress.newBuilder();
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            if (bytes.length == Integer.BYTES) {
                ip.setIpv4(buffer.getInt());
            } else {
                ip.setIpv6(IPv6.newBuilder().setFirst(buffer.getLong()).setLast(buffer.getLong()));
            }
            return Optional.of(TcpAddress.newBuilder().setIp(ip).setPort(port).build());
        } catch (UnknownHostException _) {
            return Optional.empty();
        }
    }
}
