package io.parley.proxy.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the application beside the proxy listens.
 *
 * @param host at this address; null means at the one that the client dialled
 * @param elsewhere ports that are served at an address and port of their own
 */
public record Application(@Nullable InetAddress host, Map<Integer, InetSocketAddress> elsewhere) {
    public Application {
        elsewhere = Map.copyOf(elsewhere);
    }

    public static Application at(InetAddress host) {
        return new Application(host, Map.of());
    }

    /** At the address that the client dialled. */
    public static Application asDialled() {
        return new Application(null, Map.of());
    }

    /** Where a port of it is, for a client that dialled this address. */
    public InetSocketAddress port(int number, InetAddress dialled) {
        InetSocketAddress known = elsewhere.get(number);
        return known != null ? known : new InetSocketAddress(host == null ? dialled : host, number);
    }
}
