package io.parley.sync.global;

import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.PriorityClass;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.stream.Multiplexed;
import java.util.Optional;

/**
 * A zone that was let in, and what it says of itself.
 *
 * @param stream the class of kinds that the call is about; nothing if all
 * @param messages of which API it speaks on a multiplexed stream
 */
record Caller(
        ZoneIdentity zone,
        TenantSync tenant,
        Features features,
        Optional<PriorityClass> stream,
        Multiplexed.Messages messages,
        String release,
        String instance) {
    /** The same, and what it says besides. */
    Caller announcing(Features more) {
        return new Caller(zone, tenant, features.and(more), stream, messages, release, instance);
    }
}
