package io.parley.xds.client;

import com.google.protobuf.Message;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.type.ResourceType;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is said on a discovery stream: which request comes next and what an answer is about. It is a state machine without I/O;
 * versions outlive a stream, nonces do not.
 */
interface Dialogue<Q extends Message, A extends Message> {
    RpcMethod<Q, A> method();

    /** A new stream begins. */
    void restart();

    /** Other resources of this type may be wanted than before. */
    void changed(ResourceType type);

    /** What the client has of this type is another server's now, or nobody's: no version of it may be claimed any more. */
    void forget(ResourceType type);

    /** The next request to send, if there is anything to say. */
    Optional<Outgoing<Q>> next(Function<ResourceType, Names> wanted);

    /** What the message answers; nothing if it is of a type that nobody asked for here. */
    Optional<Answer> read(A message);

    /** The answer last read has been dealt with: the next request of its type tells the server, which {@link #changed} makes due. */
    void conclude(A message, Answer answer, Verdict verdict);

    /** A request, and what it asks for. */
    record Outgoing<Q>(ResourceType type, Names names, Q request) {}
}
