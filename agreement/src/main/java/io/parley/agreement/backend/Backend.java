package io.parley.agreement.backend;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that has a say in how a port of a Service is spoken to.
 *
 * @param service as people name it: {@code NAMESPACE/NAME}
 * @param entries the Service's entries for this number; there is at least one
 * @param slices what EndpointSlices say about it
 * @param tlsPolicy the BackendTLSPolicy that holds for it, as people name it; null if there is none
 * @param list what a BackendProtocol resource lists for it; null if there is none
 */
public record Backend(
        String service,
        int port,
        List<ServicePort> entries,
        List<SlicePort> slices,
        @Nullable String tlsPolicy,
        @Nullable ProtocolList list) {
    public Backend {
        entries = List.copyOf(entries);
        slices = List.copyOf(slices);
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("entries: none (expected: those of port " + port + ")");
        }
    }

    @Override
    public String toString() {
        return "port " + port + " of Service/" + service;
    }
}
