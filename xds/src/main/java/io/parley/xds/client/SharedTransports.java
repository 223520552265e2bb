package io.parley.xds.client;

import com.google.protobuf.Message;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.client.transport.RpcStream;
import io.parley.xds.client.transport.StreamListener;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.client.transport.TransportFactory;
import java.util.HashMap;
import java.util.Map;

/** One connection for each server, used by discovery and load reporting together, closed after the last of them. */
final class SharedTransports implements TransportFactory {
    private final TransportFactory factory;
    private final Map<XdsServer.Identity, Shared> open = new HashMap<>();

    SharedTransports(TransportFactory factory) {
        this.factory = factory;
    }

    @Override
    public Transport connect(XdsServer server) {
        Shared shared =
                open.computeIfAbsent(server.identity(), identity -> new Shared(identity, factory.connect(server)));
        shared.users++;
        return shared;
    }

    private final class Shared implements Transport {
        private final XdsServer.Identity identity;
        private final Transport transport;
        private int users;

        Shared(XdsServer.Identity identity, Transport transport) {
            this.identity = identity;
            this.transport = transport;
        }

        @Override
        public <Q extends Message, A extends Message> RpcStream<Q> open(
                RpcMethod<Q, A> method, StreamListener<A> listener) {
            return transport.open(method, listener);
        }

        @Override
        public void close() {
            if (--users == 0) {
                open.remove(identity);
                transport.close();
            }
        }
    }
}
