package io.parley.xds.bootstrap;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One xDS server of a bootstrap file.
 *
 * @param uri a gRPC target: {@code host:port}, {@code dns:///host:port}, {@code unix:path}
 * @param channelCredentials the first entry of the file that this client supports
 * @param features every string of {@code server_features}, known or not
 */
public record XdsServer(
        String uri,
        ChannelCredentials channelCredentials,
        List<CallCredentials> callCredentials,
        Set<String> features) {
    public XdsServer {
        if (uri.isBlank()) {
            throw new IllegalArgumentException("uri: blank (expected: a gRPC target such as host:port)");
        }
        callCredentials = List.copyOf(callCredentials);
        features = Collections.unmodifiableSet(new LinkedHashSet<>(features));
    }

    public boolean has(ServerFeature feature) {
        return features.contains(feature.text());
    }

    /** What makes two entries the same server: features that nobody here knows do not count (gRPC A47). */
    public Identity identity() {
        return new Identity(uri, channelCredentials, callCredentials, ServerFeature.among(features));
    }

    /** Key under which connections are shared. */
    public record Identity(
            String uri,
            ChannelCredentials channelCredentials,
            List<CallCredentials> callCredentials,
            Set<ServerFeature> features) {
        public Identity {
            callCredentials = List.copyOf(callCredentials);
            features = Set.copyOf(features);
        }
    }
}
