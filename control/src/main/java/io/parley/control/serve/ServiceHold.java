package io.parley.control.serve;

import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Whether a data plane that came by the token of a service may stay: its Dataplane may have become another's. It is asked every second,
 * of many, and looks less often; what matters most, certificates, is looked at whenever one is issued.
 */
final class ServiceHold implements BooleanSupplier {
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(10);

    private final Dataplanes dataplanes;
    private final NodeKey node;
    private final Set<String> services;
    private final BooleanSupplier token;
    private final InstantSource time;
    private volatile Instant lookedAt;

    /** It has just been looked at. */
    ServiceHold(Dataplanes dataplanes, NodeKey node, Set<String> services, BooleanSupplier token, InstantSource time) {
        this.dataplanes = dataplanes;
        this.node = node;
        this.services = services;
        this.token = token;
        this.time = time;
        this.lookedAt = time.instant();
    }

    @Override
    public boolean getAsBoolean() {
        return token.getAsBoolean() && isStillOfService();
    }

    /** While the store is away nobody is turned out. */
    private boolean isStillOfService() {
        Instant now = time.instant();
        if (now.isBefore(lookedAt.plus(LOOKS_EVERY))) {
            return true;
        }
        lookedAt = now;
        try {
            return dataplanes.services(node).equals(services);
        } catch (StoreException e) {
            return true;
        }
    }
}
