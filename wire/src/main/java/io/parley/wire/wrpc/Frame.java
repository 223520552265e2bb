package io.parley.wire.wrpc;

import com.google.protobuf.ByteString;

/** One wRPC message. Sequence numbers are unsigned; 0 is none. */
public sealed interface Frame extends Received {
    Method method();

    int seq();

    /**
     * Asks for a procedure to be run.
     *
     * @param deadline UNIX seconds after which nobody waits for the reply, never 0
     */
    record Call(Method method, int seq, long deadline, ByteString payload) implements Frame {}

    /**
     * Answers the call with the number {@code ack}.
     */
    record Reply(Method method, int seq, int ack, ByteString payload) implements Frame {}

    /**
     * Says that the frame with the number {@code ack} could not be served. Never answered, so that two peers cannot exchange
     * errors for ever.
     */
    record Failure(Method method, int seq, int ack, ErrorCode code, String description) implements Frame {}
}
