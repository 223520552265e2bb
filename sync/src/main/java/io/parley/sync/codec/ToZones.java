package io.parley.sync.codec;

import io.parley.agreement.sync.Origin;
import io.parley.agreement.sync.SyncLabels;
import io.parley.agreement.sync.SyncNames;
import io.parley.agreement.sync.Travel;
import io.parley.resource.Resource;
import io.parley.resource.kind.Kind;
import io.parley.xds.server.snapshot.EncodedResource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What global tells zones: its own resources, and those of other zones that they need, without status. */
public final class ToZones implements Outgoing {
    private static final String PARLEY_SEALED = "parley.io/sealed";
    private static final String SHARED_CONFIG = "kuma-cluster-id";

    private final Encoding encoding;
    private final Predicate<String> enabled;

    /**
     * @param enabled whether a zone takes part
     */
    public ToZones(Encoding encoding, Predicate<String> enabled) {
        this.encoding = encoding;
        this.enabled = enabled;
    }

    @Override
    public boolean isUnderstood(Kind kind) {
        return ResourceCodec.isUnderstood(kind, encoding.specs());
    }

    @Override
    public Optional<EncodedResource> encode(Kind kind, Resource resource) {
        if (!kind.sync().reachesZones() || resource.labels().containsKey(PARLEY_SEALED)) {
            return Optional.empty();
        }
        return switch (kind.name()) {
            case "GlobalSecret" -> GlobalSecrets.shared(resource).flatMap(secret -> encodeShared(kind, secret));
            case "Config" ->
                resource.key().name().equals(SHARED_CONFIG) ? encodeShared(kind, resource) : Optional.empty();
            default -> encodeShared(kind, resource);
        };
    }

    private Optional<EncodedResource> encodeShared(Kind kind, Resource resource) {
        if (!Travel.toZones(resource.labels(), Travel.Reach.of(kind.name()))) {
            return Optional.empty();
        }
        String zone = Origin.of(resource.labels()) instanceof Origin.OfZone(String name) ? name : "";
        if (!zone.isEmpty() && (!enabled.test(zone) || isWithheldPolicy(kind))) {
            return Optional.empty();
        }
        Map<String, String> labels = new HashMap<>(resource.labels());
        labels.put(SyncLabels.ORIGIN, SyncLabels.ORIGIN_GLOBAL);
        String name = name(kind, resource, labels);
        return Packing.pack(kind, resource.withStatus(null).withLabels(labels), name, encoding.specs())
                .map(encoded -> zone.isEmpty() ? encoded : encoded.comingFrom(zone));
    }

    private boolean isWithheldPolicy(Kind kind) {
        return encoding.producers() == Encoding.Producers.WITHHELD
                && Travel.Reach.of(kind.name()) == Travel.Reach.PRODUCERS_ONLY;
    }

    /** With the hash of its home: for what a zone made that is the name there, not ours for it. */
    private String name(Kind kind, Resource resource, Map<String, String> labels) {
        String here = resource.key().name();
        if (encoding.names() == Encoding.Names.PLAIN || !SyncKinds.isHashed(kind)) {
            return here;
        }
        labels.putIfAbsent(SyncLabels.DISPLAY_NAME, here);
        return SyncNames.hashed(resource.key().space(), labels.getOrDefault(SyncLabels.DISPLAY_NAME, here), labels);
    }
}
