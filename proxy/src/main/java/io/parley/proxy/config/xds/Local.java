package io.parley.proxy.config.xds;

import io.parley.agreement.port.PortSet;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is said on the machine itself, and holds whatever the control plane says.
 *
 * @param inbound where the listener {@code inbound} listens instead; null for where it is told to
 * @param outbound where the listener {@code outbound} listens instead
 * @param opaquePorts of the application, which are opaque unless the control plane declares something else
 */
public record Local(
        @Nullable InetSocketAddress inbound, @Nullable InetSocketAddress outbound, PortSet opaquePorts) {
    public static final Local NOTHING = new Local(null, null, PortSet.EMPTY);
}
