package io.parley.proxy.tcp;

import io.parley.proxy.config.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that this proxy listens on. A connection that it would send to one of them would come back to it, again and again, so
 * it is refused: for every port of the proxy, since each of them loops. The same port on another address is somebody else's.
 */
public final class OwnAddresses {
    private final Set<InetAddress> machine;

    /**
     * By port, as every dial looks here. Each address with how many listeners there are: for a moment a listener and its successor have the
     * same one.
     */
    private final Map<Integer, Map<InetAddress, Integer>> bound = new ConcurrentHashMap<>();

    public OwnAddresses() {
        this(interfaces());
    }

    /** For a machine that has these addresses, beside those of loopback. */
    OwnAddresses(Set<InetAddress> machine) {
        this.machine = Set.copyOf(machine);
    }

    private static Set<InetAddress> interfaces() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SocketException e) {
            throw new IllegalStateException("the network interfaces cannot be listed", e);
        }
    }

    public void add(InetSocketAddress address) {
        bound.compute(address.getPort(), (_, before) -> {
            Map<InetAddress, Integer> here = before == null ? new HashMap<>() : new HashMap<>(before);
            here.merge(address.getAddress(), 1, Integer::sum);
            return Map.copyOf(here);
        });
    }

    public void remove(InetSocketAddress address) {
        bound.computeIfPresent(address.getPort(), (_, before) -> {
            Map<InetAddress, Integer> here = new HashMap<>(before);
            here.computeIfPresent(address.getAddress(), (_, count) -> fewer(count));
            return here.isEmpty() ? null : Map.copyOf(here);
        });
    }

    private static @Nullable Integer fewer(int count) {
        return count == 1 ? null : count - 1;
    }

    /** Whether dialling this address would reach this proxy. */
    boolean isOwn(InetSocketAddress address) {
        if (!address.isUnresolved()) {
            for (InetAddress own : at(address.getPort())) {
                if (reaches(address.getAddress(), own)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether this proxy itself has what somebody would need who listens there. */
    boolean isInTheWayOf(InetSocketAddress wanted) {
        InetAddress address = wanted.getAddress();
        return at(wanted.getPort()).stream()
                .anyMatch(own -> own.isAnyLocalAddress() || address.isAnyLocalAddress() || own.equals(address));
    }

    private Set<InetAddress> at(int port) {
        return bound.getOrDefault(port, Map.of()).keySet();
    }

    /** Who listens on no address in particular takes what comes to any; and who dials none in particular gets loopback. */
    private boolean reaches(InetAddress dialled, InetAddress own) {
        if (own.isAnyLocalAddress()) {
            return isLocal(dialled);
        }
        return dialled.isAnyLocalAddress() ? own.isLoopbackAddress() : dialled.equals(own);
    }

    /** The proxy before an endpoint may be this one: then the application is dialled, in clear (case 45). */
    Endpoint reachable(Endpoint endpoint) {
        Endpoint.Mesh mesh = endpoint.mesh();
        return mesh != null && isOwn(mesh.proxy()) ? Endpoint.plain(endpoint.address()) : endpoint;
    }

    private boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress() || address.isAnyLocalAddress() || machine.contains(address);
    }
}
