package io.parley.xds.client.transport;

import com.google.protobuf.Message;

/** The client's half of an open stream. */
public interface RpcStream<Q extends Message> {
    /** Whether the server is connected and takes another message now. When that becomes so, the listener is told. */
    boolean isReady();

    void send(Q message);

    /** Asks for one more message. */
    void readNext();

    /** Ends the stream: nothing more is received, and the listener may still be told that it ended. */
    void cancel(String why);

    /** A stream that never came about: nothing can be sent, nothing will be read. */
    static <Q extends Message> RpcStream<Q> none() {
        return new RpcStream<>() {
            @Override
            public boolean isReady() {
                return false;
            }

            @Override
            public void send(Q message) {
                throw new IllegalStateException("sent on a stream that is not ready");
            }

            @Override
            public void readNext() {}

            @Override
            public void cancel(String why) {}
        };
    }
}
