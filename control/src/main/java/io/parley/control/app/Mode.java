package io.parley.control.app;

import io.parley.control.access.Place;
import io.parley.resource.kind.NameRule;
import io.parley.sync.cache.Pace;
import io.parley.sync.zone.Channels;
import java.net.InetAddress;
import java.util.Set;

/** What a control plane is to others. */
public sealed interface Mode {
    /** Alone. */
    record Standalone() implements Mode {}

    /**
     * Zones follow it.
     *
     * @param tenants who share it, besides those who operate it
     * @param proxies addresses of proxies that are trusted to say which tenant a zone belongs to
     * @param pace how often changes of each kind go to zones
     */
    record Global(Set<String> tenants, Set<InetAddress> proxies, Pace pace) implements Mode {
        /** It becomes part of the name of a schema, which PostgreSQL cuts off. */
        private static final int LONGEST_TENANT = 40;

        public Global {
            tenants = Set.copyOf(tenants);
            proxies = Set.copyOf(proxies);
            for (String tenant : tenants) {
                if (tenant.length() > LONGEST_TENANT || !NameRule.ZONE.accepts(tenant)) {
                    throw new IllegalArgumentException("--tenants: " + tenant + " (expected: " + NameRule.ZONE
                            + ", and no longer than " + LONGEST_TENANT + ")");
                }
            }
        }

        /** For one tenant, whom nobody names. */
        public Global() {
            this(Set.of(), Set.of(), Pace.DEFAULT);
        }
    }

    /**
     * It follows a global control plane, and works without it while that is away.
     *
     * @param pace how often changes of each kind go to global
     */
    record Zone(String name, Channels global, Pace pace) implements Mode {}

    /** Who share it by name. */
    default Set<String> tenants() {
        return Set.of();
    }

    default Place place() {
        return switch (this) {
            case Standalone _ -> new Place.Alone();
            case Global _ -> new Place.Global();
            case Zone zone -> new Place.Zone(zone.name());
        };
    }
}
