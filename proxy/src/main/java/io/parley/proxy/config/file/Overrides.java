package io.parley.proxy.config.file;

import io.parley.proxy.config.GatewayPlace;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line and the environment say, which goes before the file.
 *
 * @param inbound where to take connections to the application; null leaves it to the file
 * @param outbound where to take connections from the application
 * @param admin where the admin page listens
 * @param opaquePorts ports that are opaque whatever the file says, as {@code LINKERD2_PROXY_INBOUND_OPAQUE_PORTS} lists them
 * @param gateway where the listeners of a gateway are
 * @param accessLog how requests and connections are logged; null for what the file says, or in text
 * @param adminToken a file with what administrators show to the admin page; null if there are none
 * @param probes what the admin page asks the application for, for who may not ask it: port and path, as {@code 8080/healthz}
 * @param drainDelay for how long it serves on, without being ready, after it was told to end and before it drains
 */
public record Overrides(
        @Nullable InetSocketAddress inbound,
        @Nullable InetSocketAddress outbound,
        @Nullable InetSocketAddress admin,
        @Nullable String opaquePorts,
        GatewayPlace gateway,
        @Nullable AccessLogFormat accessLog,
        @Nullable Path adminToken,
        List<String> probes,
        Duration drainDelay) {
    public Overrides {
        probes = List.copyOf(probes);
    }

    public static final Overrides NONE = new Overrides(null, null, null, null);

    /** For a proxy that is no gateway. */
    public Overrides(
            @Nullable InetSocketAddress inbound,
            @Nullable InetSocketAddress outbound,
            @Nullable InetSocketAddress admin,
            @Nullable String opaquePorts) {
        this(inbound, outbound, admin, opaquePorts, GatewayPlace.AS_TOLD, null, null, List.of(), Duration.ZERO);
    }

    /** The same with another access log. */
    public Overrides logging(@Nullable AccessLogFormat format) {
        return new Overrides(inbound, outbound, admin, opaquePorts, gateway, format, adminToken, probes, drainDelay);
    }

    /** The same with administrators. */
    public Overrides administered(@Nullable Path token) {
        return new Overrides(inbound, outbound, admin, opaquePorts, gateway, accessLog, token, probes, drainDelay);
    }

    /** The same with probes of the application. */
    public Overrides probing(List<String> others) {
        return new Overrides(inbound, outbound, admin, opaquePorts, gateway, accessLog, adminToken, others, drainDelay);
    }

    /** The same with another time before it drains. */
    public Overrides drainingAfter(Duration delay) {
        return new Overrides(inbound, outbound, admin, opaquePorts, gateway, accessLog, adminToken, probes, delay);
    }
}
