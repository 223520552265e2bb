package io.parley.sync.stream;

import io.grpc.Status;

/**
 * One end of an open stream, whichever side opened it. May be used from any thread; after the stream has ended nothing has an effect.
 *
 * @param <M> what is sent
 */
public interface Pipe<M> {
    /** Whether the reader keeps up. */
    boolean isReady();

    void send(M message);

    /** Lets one more message come; nothing comes unasked, so that a peer cannot fill our memory. */
    void readNext();

    /** Ends the stream. What is not OK is an error to the other side too. */
    void end(Status status);
}
