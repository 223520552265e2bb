package io.parley.xds.client;

import com.google.protobuf.Message;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.client.transport.RpcStream;
import io.parley.xds.client.transport.StreamEnd;
import io.parley.xds.client.transport.StreamListener;
import io.parley.xds.client.transport.Transport;

/** Stands for a server that shares no version with this client: it fails like any other, so that the next one is tried. */
record RefusedTransport(String because) implements Transport {
    @Override
    public <Q extends Message, A extends Message> RpcStream<Q> open(
            RpcMethod<Q, A> method, StreamListener<A> listener) {
        listener.closed(new StreamEnd(Trouble.Kind.NO_COMMON_VERSION.name(), because));
        return RpcStream.none();
    }

    @Override
    public void close() {}
}
