package io.parley.proxy.tcp;

import io.parley.proxy.Surroundings;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.exchange.HttpEntry;
import io.parley.proxy.telemetry.Telemetry;
import io.parley.proxy.tls.MeshTls;
import io.parley.proxy.tls.PublicTls;
import java.util.Map;

/** What all connections of a proxy share. */
public record Machinery(
        Surroundings surroundings,
        Transport transport,
        MeshTls tls,
        PublicTls outside,
        Clusters clusters,
        Telemetry telemetry,
        LearnedSilence silence,
        OwnAddresses own,
        Sessions sessions,
        HttpEntry http) {
    /** For connections of which most may be short: those that last are asked later, see {@link Sessions#tendLasting}. */
    Dialler dialler() {
        return new Dialler(transport::newSocket, Map.of(), tls, outside, own, Names.SYSTEM);
    }
}
