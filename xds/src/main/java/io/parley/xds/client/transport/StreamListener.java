package io.parley.xds.client.transport;

/** What happens on an open stream. */
public interface StreamListener<A> {
    /** The stream takes messages now. */
    void ready();

    void received(A message);

    /** The last call. */
    void closed(StreamEnd end);
}
