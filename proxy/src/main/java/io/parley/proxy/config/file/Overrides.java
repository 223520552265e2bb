package io.parley.proxy.config.file;

import io.parley.proxy.config.GatewayPlace;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the command line and the environment say, which goes before the file.
 *
 * @param inbound where to take connections to the application; null leaves it to the file
 * @param outbound where to take connections from the application
 * @param admin where the admin page listens
 * @param opaquePorts ports that are opaque whatever the file says, as {@code LINKERD2_PROXY_INBOUND_OPAQUE_PORTS} lists them
 * @param gateway where the listeners of a gateway are
 */
public record Overrides(
        @Nullable InetSocketAddress inbound,
        @Nullable InetSocketAddress outbound,
        @Nullable InetSocketAddress admin,
        @Nullable String opaquePorts,
        GatewayPlace gateway) {
    public static final Overrides NONE = new Overrides(null, null, null, null);

    /** For a proxy that is no gateway. */
    public Overrides(
            @Nullable InetSocketAddress inbound,
            @Nullable InetSocketAddress outbound,
            @Nullable InetSocketAddress admin,
            @Nullable String opaquePorts) {
        this(inbound, outbound, admin, opaquePorts, GatewayPlace.AS_TOLD);
    }
}
