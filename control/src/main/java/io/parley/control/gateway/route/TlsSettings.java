package io.parley.control.gateway.route;

import io.parley.control.gateway.model.Name;
import io.parley.resource.gateway.BackendTlsPolicySpec.AltName;
import java.util.List;

/**
 * How a backend's certificate is checked.
 *
 * @param authorities PEM; empty for those of the system
 */
public record TlsSettings(Name policy, String hostname, String authorities, List<AltName> names) {
    public TlsSettings {
        names = List.copyOf(names);
    }
}
