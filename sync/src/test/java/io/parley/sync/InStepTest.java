package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InStepTest {
    private final ResourceStore global = Samples.store();
    private final ResourceStore first = Samples.store();
    private final ResourceStore second = Samples.store();
    private final GlobalNode node = GlobalNode.on(global);
    private final ZoneNode zone1 = ZoneNode.of("zone-1", first, node.port());
    private final ZoneNode zone2 = ZoneNode.of("zone-2", second, node.port());

    @AfterEach
    void close() {
        zone1.close();
        zone2.close();
        node.close();
    }

    @Test
    void aPolicyOfGlobalReachesAllZones() {
        Samples.put(global, Samples.timeout("timeout-global", 20));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("timeout-global");
            assertThat(Samples.names(second, TIMEOUT)).containsExactly("timeout-global");
        });
        Resource copy = first.find(new ResourceKey(TIMEOUT, "default", "timeout-global"))
                .orElseThrow()
                .resource();
        assertThat(copy.labels()).containsEntry("kuma.io/origin", "global");
        assertThat(copy.spec()).isEqualTo(Samples.timeout("timeout-global", 20).spec());

        Samples.put(global, Samples.timeout("timeout-global", 30));
        await().untilAsserted(() -> assertThat(Samples.spec(second, TIMEOUT, "default", "timeout-global"))
                .contains("30s"));
        Samples.delete(global, Samples.timeout("timeout-global", 30));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).isEmpty());
    }

    @Test
    void aProxyOfAZoneIsSeenOnGlobal() {
        Samples.put(first, Samples.dataplane("web-1", 8080));
        await().untilAsserted(() -> assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1"));
        Resource copy = global.find(new ResourceKey(DATAPLANE, "default", "zone-1.web-1"))
                .orElseThrow()
                .resource();
        assertThat(copy.labels())
                .containsEntry("kuma.io/origin", "zone")
                .containsEntry("kuma.io/zone", "zone-1")
                .containsEntry("kuma.io/display-name", "web-1");
        Samples.delete(first, Samples.dataplane("web-1", 8080));
        await().untilAsserted(() -> assertThat(Samples.names(global, DATAPLANE)).isEmpty());
        assertThat(Samples.names(second, DATAPLANE)).isEmpty();
    }
}
