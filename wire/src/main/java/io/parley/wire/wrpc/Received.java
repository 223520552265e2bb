package io.parley.wire.wrpc;

/** What the bytes of one WebSocket message turned out to be. */
public sealed interface Received permits Frame, Received.Refused, Received.Malformed {
    /**
     * A frame that could be read but not be served. The connection is sound and stays; a call is answered with this error, anything
     * else only ends the call that it answers.
     *
     * @param ack 0 if this was a call
     */
    record Refused(Method method, int seq, int ack, ErrorCode code, String reason) implements Received {}

    /** Bytes that no correct peer sends: the connection is closed. */
    record Malformed(CloseReason close) implements Received {
        static Malformed because(String reason) {
            return new Malformed(new CloseReason(CloseReason.INVALID_DATA, reason));
        }
    }
}
