package io.parley.sync.codec;

import io.parley.agreement.sync.SyncLabels;
import io.parley.agreement.sync.SyncNames;
import io.parley.agreement.sync.Travel;
import io.parley.resource.Resource;
import io.parley.resource.kind.Kind;
import io.parley.xds.server.snapshot.EncodedResource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a zone tells global: its own resources, status included. */
public final class ToGlobal implements Outgoing {
    private final String zone;
    private final Encoding encoding;

    public ToGlobal(String zone, Encoding encoding) {
        this.zone = zone;
        this.encoding = encoding;
    }

    @Override
    public boolean isUnderstood(Kind kind) {
        return ResourceCodec.isUnderstood(kind, encoding.specs());
    }

    @Override
    public Optional<EncodedResource> encode(Kind kind, Resource resource) {
        if (!kind.sync().reachesGlobal() || !Travel.toGlobal(resource.labels())) {
            return Optional.empty();
        }
        Map<String, String> labels = new HashMap<>(resource.labels());
        labels.put(SyncLabels.ORIGIN, SyncLabels.ORIGIN_ZONE);
        labels.put(SyncLabels.ZONE, zone);
        labels.putIfAbsent(SyncLabels.DISPLAY_NAME, resource.key().name());
        String name = encoding.names() == Encoding.Names.HASHED
                ? SyncNames.hashed(resource.key().space(), resource.key().name(), labels)
                : resource.key().name();
        return Packing.pack(kind, resource.withLabels(labels), name, encoding.specs());
    }
}
