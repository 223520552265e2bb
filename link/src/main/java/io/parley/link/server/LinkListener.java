package io.parley.link.server;

import io.parley.wire.wrpc.CloseReason;

/** Told what happens on the links of a control plane. Called on event loops: must not block. */
public interface LinkListener {
    LinkListener NONE = new LinkListener() {};

    /** Also for a negotiation that was invalid. */
    default void negotiated(NegotiationRecord negotiation) {}

    /** Only for a node whose negotiation succeeded; {@code negotiation} is the record that {@link #negotiated} was told. */
    default void disconnected(NegotiationRecord negotiation, CloseReason reason) {}
}
