package io.parley.proxy.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the listeners of a gateway are, on the machine itself: several gateways may stand on one, each at its own address or ports.
 *
 * @param address where all of them are; null for where each is told to be
 * @param portOffset added to each port
 */
public record GatewayPlace(@Nullable InetAddress address, int portOffset) {
    public static final GatewayPlace AS_TOLD = new GatewayPlace(null, 0);

    /** Where a listener is that is told to be {@code there}. A port that the system is to choose stays so. */
    public InetSocketAddress move(InetSocketAddress there) {
        int port = there.getPort() == 0 ? 0 : there.getPort() + portOffset;
        return new InetSocketAddress(address == null ? there.getAddress() : address, port);
    }
}
