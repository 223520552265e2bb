package io.parley.xds.server;

import io.parley.xds.server.session.SubscriptionState;
import java.util.List;

/** A stream and what its client has, asked for and thinks of it. */
public record StreamState(StreamInfo stream, List<SubscriptionState> subscriptions) {}
