package io.parley.identity.token;

import java.time.Duration;

/** What our tokens contain beyond the registered claims, and the audiences that keep their kinds apart. */
final class Claims {
    static final String API = "parley/api";
    static final String DATAPLANE = "parley/dataplane";
    static final String SERVICE = "parley/service";
    static final String ZONE = "parley/zone";
    static final String GATEWAY = "parley/gateway";
    static final String ZONE_PROXY = "parley/zone-proxy";

    static final String GROUPS = "groups";
    static final String MESH = "mesh";
    static final String NAMESPACE = "namespace";
    static final String TENANT = "tenant";

    /** How far two machines' clocks may be apart before a fresh token is refused. */
    static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private Claims() {}
}
