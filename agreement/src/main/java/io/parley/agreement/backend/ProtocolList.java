package io.parley.agreement.backend;

import java.util.List;

/**
 * The protocols that a BackendProtocol resource lists for a port, the preferred first.
 *
 * @param resource who says so, as people name it
 */
public record ProtocolList(String resource, List<AppProtocol> protocols) {
    public ProtocolList {
        protocols = List.copyOf(protocols);
    }
}
