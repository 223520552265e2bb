package io.parley.xds.bootstrap;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** The server features that this client knows. */
public enum ServerFeature {
    /** The server speaks xDS v3 (gRPC A30). */
    XDS_V3("xds_v3"),
    /** A listener or cluster that the server no longer sends is kept (gRPC A53). */
    IGNORE_RESOURCE_DELETION("ignore_resource_deletion"),
    /** Routes of this server may rewrite the authority (gRPC A81). */
    TRUSTED_XDS_SERVER("trusted_xds_server"),
    /** A resource that does not come in time is taken for a slow server, not for an absent resource (gRPC A88). */
    RESOURCE_TIMER_IS_TRANSIENT_ERROR("resource_timer_is_transient_error"),
    /** A resource that turns out bad or gone is dropped, not kept in its last good state (gRPC A88). */
    FAIL_ON_DATA_ERRORS("fail_on_data_errors");

    private final String text;

    ServerFeature(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    static Set<ServerFeature> among(Collection<String> features) {
        Set<ServerFeature> known = EnumSet.noneOf(ServerFeature.class);
        for (ServerFeature feature : values()) {
            if (features.contains(feature.text)) {
                known.add(feature);
            }
        }
        return known;
    }
}
