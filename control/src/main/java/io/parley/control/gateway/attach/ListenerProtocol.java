package io.parley.control.gateway.attach;

import io.parley.agreement.backend.RouteKind;
import io.parley.agreement.backend.Transport;
import java.util.List;
import java.util.Optional;

/** What a listener can be there for. */
public enum ListenerProtocol {
    HTTP(Transport.TCP, RouteKind.HTTP, RouteKind.GRPC),
    HTTPS(Transport.TCP, RouteKind.HTTP, RouteKind.GRPC),
    TLS(Transport.TCP, RouteKind.TLS),
    TCP(Transport.TCP, RouteKind.TCP),
    UDP(Transport.UDP, RouteKind.UDP);

    private final Transport transport;
    private final List<RouteKind> routes;

    ListenerProtocol(Transport transport, RouteKind... routes) {
        this.transport = transport;
        this.routes = List.of(routes);
    }

    static Optional<ListenerProtocol> parse(String word) {
        for (ListenerProtocol protocol : values()) {
            if (protocol.name().equals(word)) {
                return Optional.of(protocol);
            }
        }
        return Optional.empty();
    }

    public Transport transport() {
        return transport;
    }

    public List<RouteKind> routes() {
        return routes;
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
