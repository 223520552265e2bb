package io.parley.sync.global;

import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.PriorityClass;
import io.parley.sync.auth.ZoneIdentity;
import java.util.Optional;

/**
 * A zone that was let in, and what it says of itself.
 *
 * @param stream the class of kinds that the call is about; nothing if all
 */
record Caller(
        ZoneIdentity zone,
        TenantSync tenant,
        Features features,
        Optional<PriorityClass> stream,
        String release,
        String instance) {}
