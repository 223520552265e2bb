package io.parley.control.gateway.attach;

import io.parley.agreement.backend.RouteKind;
import io.parley.agreement.backend.Transport;
import java.util.List;
import java.util.Optional;

/** What a listener can be there for. */
public enum ListenerProtocol {
    HTTP,
    HTTPS,
    TLS,
    TCP,
    UDP;

    static Optional<ListenerProtocol> parse(String word) {
        for (ListenerProtocol protocol : values()) {
            if (protocol.name().equals(word)) {
                return Optional.of(protocol);
            }
        }
        return Optional.empty();
    }

    public Transport transport() {
        return this == UDP ? Transport.UDP : Transport.TCP;
    }

    public List<RouteKind> routes() {
        return switch (this) {
            case HTTP, HTTPS -> List.of(RouteKind.HTTP, RouteKind.GRPC);
            case TLS -> List.of(RouteKind.TLS);
            case TCP -> List.of(RouteKind.TCP);
            case UDP -> List.of(RouteKind.UDP);
        };
    }

    /** Whether a name sent before the first byte (SNI) tells listeners of one port apart. */
    boolean isChosenByServerName() {
        return this == HTTPS || this == TLS;
    }

    /** Whether both can listen on one port. */
    boolean sharesPortWith(ListenerProtocol other) {
        return this == other || (isChosenByServerName() && other.isChosenByServerName());
    }
}
