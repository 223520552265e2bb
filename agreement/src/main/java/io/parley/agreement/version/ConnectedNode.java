package io.parley.agreement.version;

/** A node that is connected, and what it asked for when it came. */
public record ConnectedNode(Requester requester, NegotiationRequest request) {}
