package io.parley.control.gateway.attach;

import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.resource.gateway.GatewaySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Gateway of ours, and what of it can be there.
 *
 * @param addresses where it listens; none if that cannot be done
 * @param backendCertificate the Secret that it shows to backends; null for none
 */
public record CheckedGateway(
        Declared<GatewaySpec> gateway,
        List<CheckedListener> listeners,
        Verdict accepted,
        List<GatewaySpec.Address> addresses,
        Placement placement,
        @Nullable Name backendCertificate,
        Verdict references) {
    public CheckedGateway {
        listeners = List.copyOf(listeners);
        addresses = List.copyOf(addresses);
    }

    public Name name() {
        return gateway.name();
    }

    public boolean isServed() {
        return accepted.good() && !addresses.isEmpty();
    }
}
