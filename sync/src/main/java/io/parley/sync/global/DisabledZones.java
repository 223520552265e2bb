package io.parley.sync.global;

import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.mesh.ZoneSpec;
import io.parley.store.Event;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import io.parley.sync.cache.StoreFollower;
import io.parley.sync.codec.SyncKinds;
import java.util.HashSet;
import java.util.Set;

/** Which zones do not take part: what they offer others is withdrawn, and comes back when they are enabled (case 34). */
final class DisabledZones implements StoreFollower.Observer {
    private volatile Set<String> disabled = Set.of();

    boolean contains(String zone) {
        return disabled.contains(zone);
    }

    @Override
    public void reading(ResourceStore store) {
        Set<String> found = new HashSet<>();
        for (Stored stored :
                store.list(Query.of(SyncKinds.ZONE).withLimit(Query.MAX_LIMIT)).items()) {
            if (isDisabled(stored.resource())) {
                found.add(stored.key().name());
            }
        }
        disabled = Set.copyOf(found);
    }

    @Override
    public boolean upsets(Event event) {
        if (!event.key().kind().equals(SyncKinds.ZONE)) {
            return false;
        }
        boolean now = event instanceof Event.Written(Stored stored) && isDisabled(stored.resource());
        return now != disabled.contains(event.key().name());
    }

    private static boolean isDisabled(Resource zone) {
        return ZoneSpec.READER.read(zone.spec()) instanceof Result.Accepted<ZoneSpec>(ZoneSpec spec) && !spec.enabled();
    }
}
