package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as Envoy's resources write them. Names are never looked up. */
final class SocketAddresses {
    private static final InetSocketAddress STAND_IN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private SocketAddresses() {}

    static InetSocketAddress read(Address address, String path, Reading reading) {
        SocketAddress socket = address.getSocketAddress();
        int port = socket.getPortValue();
        if (port < 0 || port > 65535) {
            reading.fail(
                    path + ".socket_address.port_value", Integer.toUnsignedString(port) + " (expected: at most 65535)");
            return STAND_IN;
        }
        return new InetSocketAddress(host(socket.getAddress(), path + ".socket_address.address", reading), port);
    }

    static InetAddress host(String text, String path, Reading reading) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            reading.fail(path, text + " (expected: an IP address)");
            return STAND_IN.getAddress();
        }
    }
}
