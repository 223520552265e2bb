package io.parley.proxy.tcp;

import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import java.net.InetSocketAddress;

/**
 * A connection to the application beside this proxy, as it comes off the wire. It is one of two kinds. Either it was meant for a
 * port of the application and brought here: then it may be anything, from anybody. Or it was meant for the proxy itself: then it
 * comes from another proxy, and must be mutual TLS.
 */
final class InboundFlow {
    private InboundFlow() {}

    static void start(Session session, Machinery machinery, Timeouts timeouts, Routing routing) {
        InetSocketAddress destination = session.accepted().destination();
        switch (routing) {
            case Routing.ToPort(var port, var application) ->
                toPort(new Entry(session, machinery, timeouts), port, application.getPort(), application);
            case Routing.ToApplication here -> {
                Entry entry = new Entry(session, machinery, timeouts);
                if (isMeantForProxy(session, machinery)) {
                    new FromProxy(entry, here).start();
                } else {
                    toPort(
                            entry,
                            here.port(destination.getPort()),
                            destination.getPort(),
                            here.application().port(destination.getPort(), destination.getAddress()));
                }
            }
            case Routing.Fixed _, Routing.ByDestination _, Routing.Gateway _, Routing.Datagrams _ ->
                throw new IllegalStateException("not for an inbound listener: " + routing);
        }
    }

    /** It arrived where the client dialled, so nothing brought it here; or the address that was dialled is another of ours. */
    private static boolean isMeantForProxy(Session session, Machinery machinery) {
        InetSocketAddress destination = session.accepted().destination();
        return destination.equals(session.downstream().localAddress())
                || machinery.own().isOwn(destination);
    }

    private static void toPort(Entry entry, InboundPort port, int number, InetSocketAddress application) {
        new ToApplicationPort(entry, port, number, application).start();
    }
}
