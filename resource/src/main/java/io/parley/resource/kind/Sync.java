package io.parley.resource.kind;

/** In which direction zones and the global control plane exchange a kind. */
public enum Sync {
    GLOBAL_TO_ZONE(true, false),
    ZONE_TO_GLOBAL(false, true),
    BOTH(true, true),
    NEVER(false, false);

    private final boolean toZones;
    private final boolean toGlobal;

    Sync(boolean toZones, boolean toGlobal) {
        this.toZones = toZones;
        this.toGlobal = toGlobal;
    }

    public boolean reachesZones() {
        return toZones;
    }

    public boolean reachesGlobal() {
        return toGlobal;
    }
}
