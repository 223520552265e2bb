package io.parley.xds.client;

import io.parley.agreement.version.VersionChoice;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.load.ClusterLoad;
import io.parley.xds.client.load.LoadReporter;
import io.parley.xds.client.load.LoadStore;
import io.parley.xds.client.transport.LastingStream.Retrying;
import io.parley.xds.client.transport.TransportFactory;
import io.parley.xds.type.ApiVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Load reporting to all servers that want it. Counting works on any thread, reporting on the loop. */
final class LoadReporting {
    private final ClientSettings settings;
    private final TransportFactory transports;
    private final Retrying retrying;
    private final Map<XdsServer.Identity, LoadStore> stores = new ConcurrentHashMap<>();
    private final Map<XdsServer.Identity, LoadReporter> reporters = new HashMap<>();
    private boolean closed;

    LoadReporting(ClientSettings settings, TransportFactory transports, Retrying retrying) {
        this.settings = settings;
        this.transports = transports;
        this.retrying = retrying;
    }

    ClusterLoad cluster(XdsServer server, String cluster, String service) {
        LoadStore store = stores.computeIfAbsent(server.identity(), identity -> new LoadStore());
        ClusterLoad load = store.cluster(cluster, service, retrying.loop().nanoTime());
        retrying.loop().execute(() -> report(server, store));
        return load;
    }

    void close() {
        closed = true;
        reporters.values().forEach(LoadReporter::close);
        reporters.clear();
    }

    /** A server that shares no version with this client is told nothing; discovery says so loudly enough. */
    private void report(XdsServer server, LoadStore store) {
        if (!closed
                && settings.versions().choose(server.features())
                        instanceof VersionChoice.Agreed<ApiVersion>(var decision)) {
            ApiVersion version = decision.value();
            reporters
                    .computeIfAbsent(
                            server.identity(),
                            identity -> new LoadReporter(
                                    store,
                                    NodeIdentity.load(settings, version),
                                    version,
                                    transports.connect(server),
                                    retrying))
                    .start();
        }
    }
}
