package io.parley.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.control.testing.Worlds;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.type.ResourceType;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Proxies that serve host names follow the names, and are not made again for anything less. */
class HostNamesTest {
    private final MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aProxyIsMadeAgainWhenANameComesAndNotWhenAnEndpointDoes() {
        put("""
            type: VirtualOutbound
            mesh: default
            name: by-version
            selectors: [{match: {kuma.io/service: "*", version: "*"}}]
            conf:
              host: "{{.version}}.{{.service}}.mesh"
              port: "80"
              parameters: [{name: service, tagKey: kuma.io/service}, {name: version}]
            ---
            type: Dataplane
            mesh: default
            name: web-1
            annotations: {parley.io/virtual-outbounds: loopback}
            networking: {address: 10.0.0.1, inbound: [{port: 80, tags: {kuma.io/service: web}}]}
            """ + orders("1", "v1"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot web = snapshots.of(new ProxyKey("default", "web-1"));
            snapshots.settle();
            assertThat(listeners(web)).isEqualTo(2);
            Work before = snapshots.work();

            put(orders("2", "v1"));
            await().until(() -> snapshots.work().endpointsReplaced() > before.endpointsReplaced());
            assertThat(snapshots.work().proxiesBuilt()).isEqualTo(before.proxiesBuilt());

            put(orders("3", "v2"));
            await().until(() -> listeners(web) == 3);
            store.delete(Worlds.resources(orders("3", "v2")).getFirst().key(), Expected.anything());
            await().until(() -> listeners(web) == 2);
        }
    }

    private static int listeners(LiveSnapshot live) {
        return live.current()
                .orElseThrow()
                .resources(ResourceType.LISTENER)
                .names()
                .size();
    }

    private static String orders(String number, String version) {
        return """
            ---
            type: Dataplane
            mesh: default
            name: orders-%1$s
            networking:
              address: 10.0.1.%1$s
              inbound: [{port: 80, tags: {kuma.io/service: orders, version: %2$s}}]
            """.formatted(number, version);
    }

    private void put(String yaml) {
        Worlds.resources(yaml).forEach(resource -> store.put(resource, Expected.anything()));
    }
}
