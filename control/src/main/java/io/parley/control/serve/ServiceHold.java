package io.parley.control.serve;

import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Why a data plane that came by the token or the certificate of services may not stay: its Dataplane may have become another's. It is
 * asked every second, of many, and looks less often; what matters most, certificates, is looked at whenever one is issued.
 */
final class ServiceHold implements Supplier<Optional<String>> {
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(10);

    private final Dataplanes dataplanes;
    private final NodeKey node;
    private final Set<String> proven;
    private final Supplier<Optional<String>> credential;
    private final InstantSource time;
    private volatile Instant lookedAt;

    /** It has just been looked at. */
    ServiceHold(
            Dataplanes dataplanes,
            NodeKey node,
            Set<String> proven,
            Supplier<Optional<String>> credential,
            InstantSource time) {
        this.dataplanes = dataplanes;
        this.node = node;
        this.proven = proven;
        this.credential = credential;
        this.time = time;
        this.lookedAt = time.instant();
    }

    @Override
    public Optional<String> get() {
        return credential.get().or(this::changed);
    }

    /** Whether who is good for these services is good for all that a data plane is now, which is something. */
    static boolean covers(Set<String> proven, Set<String> services) {
        return !services.isEmpty() && proven.containsAll(services);
    }

    /** While the store is away nobody is turned out. */
    private Optional<String> changed() {
        Instant now = time.instant();
        if (now.isBefore(lookedAt.plus(LOOKS_EVERY))) {
            return Optional.empty();
        }
        lookedAt = now;
        try {
            Set<String> services = dataplanes.services(node);
            if (covers(proven, services)) {
                return Optional.empty();
            }
            return Optional.of(
                    services.isEmpty()
                            ? "its Dataplane is gone"
                            : "its Dataplane changed (expected: only of " + String.join(", ", new TreeSet<>(proven))
                                    + ")");
        } catch (StoreException e) {
            return Optional.empty();
        }
    }
}
