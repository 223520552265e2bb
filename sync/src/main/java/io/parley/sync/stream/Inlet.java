package io.parley.sync.stream;

import io.grpc.Status;

/** What happens at one end of a stream. Must not block. */
public interface Inlet {
    /** Messages may be sent again. */
    void ready();

    void message(byte[] bytes);

    /** Nothing more will happen. */
    void ended(Status status);
}
