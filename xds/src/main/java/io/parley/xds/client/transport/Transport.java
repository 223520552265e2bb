package io.parley.xds.client.transport;

import com.google.protobuf.Message;

/** A connection to one server, made when it is needed. Its listeners may be called on any thread, one call at a time. */
public interface Transport extends AutoCloseable {
    /** Opens a stream. Nothing is read from it until {@link RpcStream#readNext} is called. */
    <Q extends Message, A extends Message> RpcStream<Q> open(RpcMethod<Q, A> method, StreamListener<A> listener);

    @Override
    void close();
}
