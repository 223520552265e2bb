package io.parley.sync.zone;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.grpc.Metadata;
import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.PriorityClass;
import io.parley.sync.ZoneSettings;
import io.parley.sync.codec.Encoding;
import io.parley.sync.grpc.PeerNode;
import io.parley.sync.grpc.SyncHeaders;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a zone says of itself. */
record Introduction(ZoneSettings settings, Features features) {
    static final Duration HEALTH_INTERVAL = Duration.ofSeconds(30);

    static Introduction of(ZoneSettings settings) {
        Set<Feature> features = EnumSet.of(
                Feature.ZONE_PING_HEALTH,
                Feature.PRODUCER_POLICY_FLOW,
                Feature.CHUNKED_STATE,
                Feature.RESUME,
                Feature.PRIORITY_STREAMS,
                Feature.JSON_SPECS);
        if (settings.names() == Encoding.Names.HASHED) {
            features.add(Feature.HASH_SUFFIX);
        }
        return new Introduction(settings, new Features(features));
    }

    /**
     * Headers of a connection.
     *
     * @param only the class of kinds that it is for, or null for all
     */
    Metadata headers(@Nullable PriorityClass only) {
        Metadata headers = new Metadata();
        headers.put(SyncHeaders.CLIENT_ID, settings.zone());
        headers.put(SyncHeaders.KDS_VERSION, SyncHeaders.VERSION_3);
        headers.put(SyncHeaders.RELEASE, settings.release());
        headers.put(SyncHeaders.INSTANCE_ID, settings.instance());
        SyncHeaders.putFeatures(headers, features);
        if (only != null) {
            headers.put(SyncHeaders.PRIORITY_CLASS, only.text());
        }
        return headers;
    }

    Node node() {
        return PeerNode.of(settings.zone(), settings.instance(), settings.release(), features);
    }
}
