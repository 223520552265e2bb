package io.parley.link.client;

import io.parley.link.negotiation.AnswerCheck;
import java.time.Duration;

/** Told how a node's link fares. Called on its event loop: must not block. */
public interface LinkClientListener {
    LinkClientListener NONE = new LinkClientListener() {};

    /** Negotiated, and the services run. */
    default void connected(AnswerCheck.Agreed agreed) {}

    /** Not connected, or no more. The reason is for people; the next attempt is made after the delay. */
    default void disconnected(String reason, Duration retryAfter) {}
}
