package io.parley.sync.codec;

import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The kinds that are exchanged, by direction; the lists of the design document and Parley's own. */
public final class SyncKinds {
    public static final KindId ZONE = new KindId("Zone");
    public static final KindId ZONE_INSIGHT = new KindId("ZoneInsight");

    private static final List<Kind> TO_ZONES = where(kind -> kind.sync().reachesZones());
    private static final List<Kind> TO_GLOBAL = where(kind -> kind.sync().reachesGlobal());

    /** Their names mean the same everywhere, or programs look for them by name: they are not hashed. */
    private static final Set<String> UNHASHED = Set.of("Mesh", "Secret", "GlobalSecret", "Config");

    private SyncKinds() {}

    public static List<Kind> toZones() {
        return TO_ZONES;
    }

    public static List<Kind> toGlobal() {
        return TO_GLOBAL;
    }

    /** Those of one class, or all. */
    public static List<Kind> of(List<Kind> kinds, Optional<PriorityClass> only) {
        return kinds.stream()
                .filter(kind -> only.isEmpty() || only.get() == PriorityClass.of(kind.name()))
                .toList();
    }

    public static boolean isHashed(Kind kind) {
        return !UNHASHED.contains(kind.name());
    }

    private static List<Kind> where(Predicate<Kind> condition) {
        return Kinds.all().stream().filter(Kind::isOfMesh).filter(condition).toList();
    }
}
