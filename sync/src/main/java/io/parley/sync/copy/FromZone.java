package io.parley.sync.copy;

import io.parley.agreement.sync.Origin;
import io.parley.agreement.sync.SyncLabels;
import io.parley.agreement.sync.SyncNames;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.kind.Kind;
import io.parley.sync.codec.Encoding;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.codec.WireName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies that global keeps of a zone's resources: read-only, bearing the name and the labels of the zone that is connected, whatever they
 * say of themselves. They go when the Zone is deleted.
 */
public final class FromZone implements CopyRules {
    private final String zone;
    private final Encoding.Names names;
    private final Runnable rewritten;

    /**
     * @param rewritten run whenever something claimed to come from another zone
     */
    public FromZone(String zone, Encoding.Names names, Runnable rewritten) {
        this.zone = zone;
        this.names = names;
        this.rewritten = rewritten;
    }

    @Override
    public Map<String, String> marks() {
        return Map.of(SyncLabels.ORIGIN, SyncLabels.ORIGIN_ZONE, SyncLabels.ZONE, zone);
    }

    @Override
    public Optional<WireName> nameOf(Resource copy) {
        if (!Origin.of(copy.labels()).equals(new Origin.OfZone(zone))) {
            return Optional.empty();
        }
        String name = copy.key().name();
        // A row under a name of the other kind is left from before the zone was upgraded or went back: nothing may name
        // it, so that it goes (case 40). No name begins with a dot.
        String there = names == Encoding.Names.HASHED
                ? name
                : SyncNames.withoutPrefix(zone, name).orElse("." + name);
        return Optional.of(new WireName(there, copy.key().space()));
    }

    @Override
    public Result<Resource> adopt(Kind kind, Resource sent) {
        Optional<String> name = names == Encoding.Names.HASHED
                ? Optional.of(sent.key().name())
                : SyncNames.prefixed(zone, sent.key().name());
        if (name.isEmpty()) {
            return new Result.Rejected<>(List.of(new Violation(
                    "meta.name",
                    sent.key().name().length() + " characters (expected: fewer, as the zone's name is put"
                            + " before it)")));
        }
        Map<String, String> labels = new HashMap<>(sent.labels());
        labels.put(SyncLabels.ORIGIN, SyncLabels.ORIGIN_ZONE);
        String claimed = labels.put(SyncLabels.ZONE, zone);
        labels.putIfAbsent(SyncLabels.DISPLAY_NAME, sent.key().name());
        ZoneAttribution attribution = ZoneAttribution.of(kind, sent.spec(), zone);
        if (attribution.rewritten() || (claimed != null && !claimed.equals(zone))) {
            rewritten.run();
        }
        ResourceKey key = new ResourceKey(kind.id(), sent.key().space(), name.get());
        return new Result.Accepted<>(
                new Resource(key, sent.form(), labels, sent.annotations(), attribution.spec(), sent.status()));
    }

    @Override
    public Clash clash(Kind kind, Resource present) {
        return Clash.REFUSE;
    }

    @Override
    public Resource elsewhere(Resource copy) {
        throw new IllegalStateException("a zone's copies have one name: " + copy.key());
    }

    @Override
    public ResourceKey owner() {
        return new ResourceKey(SyncKinds.ZONE, "", zone);
    }

    @Override
    public StatusOf status() {
        return StatusOf.PEER;
    }
}
