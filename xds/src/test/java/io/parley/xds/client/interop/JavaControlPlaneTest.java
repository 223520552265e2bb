package io.parley.xds.client.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.client.Variant;
import org.junit.jupiter.api.Test;

/** Our client against servers that we did not write. */
class JavaControlPlaneTest {
    @Test
    void followsAVersion3ServerInBothVariants() throws Exception {
        try (ForeignControlPlane server = new ForeignControlPlane("java-control-plane-1.0.49");
                LiveClient sotw = new LiveClient(LiveClient.server(server.port(), "xds_v3"), Variant.SOTW);
                LiveClient delta = new LiveClient(LiveClient.server(server.port(), "xds_v3"), Variant.DELTA)) {
            server.publish("1", "10.0.0.1");
            sotw.watchEverything();
            delta.watchEverything();
            sotw.awaitAddress("10.0.0.1");
            delta.awaitAddress("10.0.0.1");

            server.publish("2", "10.0.0.2");
            sotw.awaitAddress("10.0.0.2");
            delta.awaitAddress("10.0.0.2");
        }
    }

    @Test
    void followsAVersion2Server() throws Exception {
        try (ForeignControlPlane server = new ForeignControlPlane("java-control-plane-0.1.31");
                LiveClient client = new LiveClient(LiveClient.server(server.port()), Variant.SOTW)) {
            server.publish("1", "10.0.0.1");
            client.watchEverything();
            client.awaitAddress("10.0.0.1");
            assertThat(client.seen).containsEntry("listener", "1");

            server.publish("2", "10.0.0.2");
            client.awaitAddress("10.0.0.2");
        }
    }
}
