package io.parley.control.admission;

import io.parley.agreement.sync.Authorship;
import io.parley.control.access.Place;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;
import io.parley.resource.kind.Author;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Shape;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import io.parley.sync.status.ZoneInsights;
import java.util.Map;
import java.util.Optional;

/** Whether people may write here what belongs to one place in a mesh of zones: each resource has one owner, all others have copies. */
final class Ownership {
    private static final KindId ZONE = new KindId("Zone");
    private static final KindId ZONE_INSIGHT = new KindId("ZoneInsight");
    private static final String SECRET = "Secret";

    private final Place place;
    private final ResourceStore store;

    Ownership(Place place, ResourceStore store) {
        this.place = place;
        this.store = store;
    }

    Optional<Refusal> refusalOfPut(Kind kind, Resource given, Optional<Stored> present) {
        Optional<Refusal> copy = refusalOfCopy(given.key(), present);
        if (copy.isPresent() || !(place instanceof Place.Zone(String zone))) {
            return copy;
        }
        // A zone may have secrets of its own; whatever else only global makes would be replaced by global's.
        if (kind.author() == Author.GLOBAL
                && kind.sync().reachesZones()
                && !kind.name().equals(SECRET)) {
            return Optional.of(new Refusal.ReadOnly(
                    given.key(), kind.name() + " resources are applied to the global control plane"));
        }
        boolean policy = kind.author() == Author.ANYWHERE && kind.shape() == Shape.SPEC;
        return policy
                ? Authorship.refusalOfPolicy(given.labels(), zone)
                        .map(reason -> new Refusal.Invalid(given.key(), new Violation("labels", reason)))
                : Optional.empty();
    }

    Optional<Refusal> refusalOfDelete(ResourceKey key, Optional<Stored> present) {
        Optional<Refusal> copy = refusalOfCopy(key, present);
        if (copy.isPresent() || !key.kind().equals(ZONE)) {
            return copy;
        }
        boolean online = store.find(new ResourceKey(ZONE_INSIGHT, "", key.name()))
                .filter(insight -> ZoneInsights.isOnline(insight.resource().spec()))
                .isPresent();
        return online
                ? Optional.of(new Refusal.InUse(key, "the zone is connected; stop its control plane first"))
                : Optional.empty();
    }

    private Optional<Refusal> refusalOfCopy(ResourceKey key, Optional<Stored> present) {
        Map<String, String> labels =
                present.map(stored -> stored.resource().labels()).orElse(Map.of());
        Optional<String> reason = switch (place) {
            case Place.Alone _ -> Optional.empty();
            case Place.Global _ -> Authorship.refusalOnGlobal(labels);
            case Place.Zone _ -> Authorship.refusalInZone(labels);
        };
        return reason.map(text -> new Refusal.ReadOnly(key, text));
    }
}
