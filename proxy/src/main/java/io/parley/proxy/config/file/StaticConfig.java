package io.parley.proxy.config.file;

import io.parley.proxy.config.ProxyConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a file says.
 *
 * @param identity where the proxy's certificate is; null for a proxy without one
 * @param admin where the admin page listens
 * @param accessLog how each connection is logged
 * @param places by the name of a listener, what asks for its address: {@code outbound.services[2].listen}
 */
public record StaticConfig(
        ProxyConfig proxy,
        @Nullable IdentityFiles identity,
        InetSocketAddress admin,
        AccessLogFormat accessLog,
        Map<String, String> places) {
    public StaticConfig {
        places = Map.copyOf(places);
    }

    /**
     * PEM files. They are read again when they change.
     *
     * @param certificate the proxy's own, leaf first
     * @param trust of the authorities whose workloads are members of the mesh
     */
    public record IdentityFiles(Path certificate, Path key, Path trust) {}

    /** How a connection is written to the access log. */
    public enum AccessLogFormat {
        NONE,
        TEXT,
        JSON
    }
}
