package io.parley.proxy.config.xds;

import io.parley.agreement.port.PortSet;
import io.parley.proxy.config.GatewayPlace;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is said on the machine itself, and holds whatever the control plane says.
 *
 * @param inbound where the listener {@code inbound} listens instead; null for where it is told to
 * @param outbound where the listener {@code outbound} listens instead
 * @param opaquePorts of the application, which are opaque unless the control plane declares something else
 * @param gateway where the listeners of a gateway are
 */
public record Local(
        @Nullable InetSocketAddress inbound,
        @Nullable InetSocketAddress outbound,
        PortSet opaquePorts,
        GatewayPlace gateway) {
    public static final Local NOTHING = new Local(null, null, PortSet.EMPTY);

    public Local(@Nullable InetSocketAddress inbound, @Nullable InetSocketAddress outbound, PortSet opaquePorts) {
        this(inbound, outbound, opaquePorts, GatewayPlace.AS_TOLD);
    }
}
