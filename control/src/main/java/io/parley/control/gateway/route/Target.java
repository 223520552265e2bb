package io.parley.control.gateway.route;

import io.parley.agreement.backend.BackendProtocol;
import io.parley.control.gateway.model.Name;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A port of a Service, spoken to in one way. Two ways of speaking to one port are two targets, and never share connections.
 *
 * @param portName by which EndpointSlices know the port
 * @param protocols the preferred first
 * @param tls null for clear text
 */
public record Target(
        Name service,
        int port,
        String portName,
        List<BackendProtocol> protocols,
        @Nullable TlsSettings tls) {
    public Target {
        protocols = List.copyOf(protocols);
    }

    public BackendProtocol preferred() {
        return protocols.getFirst();
    }

    /** The name of its cluster. */
    public String clusterName() {
        String words = protocols.stream().map(BackendProtocol::word).collect(Collectors.joining(","));
        return service + ":" + port + "|" + words;
    }
}
