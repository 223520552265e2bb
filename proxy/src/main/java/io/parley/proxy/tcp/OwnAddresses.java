package io.parley.proxy.tcp;

import io.parley.proxy.config.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The ports that this proxy listens on. A connection that it would send to one of them would come back to it, again and again, so
 * it is refused: for every port of the proxy, since each of them loops.
 */
public final class OwnAddresses {
    private final Set<InetAddress> addresses;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    public OwnAddresses() {
        try {
            addresses = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SocketException e) {
            throw new IllegalStateException("the network interfaces cannot be listed", e);
        }
    }

    public void add(int port) {
        ports.add(port);
    }

    public void remove(int port) {
        ports.remove(port);
    }

    /** Whether a header may not name this port. */
    boolean isOwnPort(int port) {
        return ports.contains(port);
    }

    /** Whether dialling this address would reach this proxy. */
    boolean isOwn(InetSocketAddress address) {
        return !address.isUnresolved() && ports.contains(address.getPort()) && isLocal(address.getAddress());
    }

    /** The proxy before an endpoint may be this one: then the application is dialled, in clear (case 45). */
    Endpoint reachable(Endpoint endpoint) {
        Endpoint.Mesh mesh = endpoint.mesh();
        return mesh != null && isOwn(mesh.proxy()) ? Endpoint.plain(endpoint.address()) : endpoint;
    }

    boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress() || address.isAnyLocalAddress() || addresses.contains(address);
    }
}
