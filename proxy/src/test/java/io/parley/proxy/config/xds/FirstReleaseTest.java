package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.ProxyConfig;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A proxy that cannot do at its start what it is told, as somebody else has its port. */
class FirstReleaseTest {
    private final List<ProxyConfig> inForce = new ArrayList<>();
    private boolean taken = true;

    private final XdsConfig config = new XdsConfig(Local.NOTHING, told -> {
        if (taken) {
            throw new IllegalStateException("the port is taken");
        }
        inForce.add(told);
    });

    @Test
    void isTriedAgainUntilItCanBe() {
        config.change(ResourceType.CLUSTER, "1", bytes(staticCluster("web", 80)), List.of());
        config.change(
                ResourceType.LISTENER,
                "1",
                bytes(outbound("outbound:127.0.0.1:0", 0, toCluster("web").build())
                        .build()),
                List.of());
        assertThat(config.release()).isFalse();
        assertThat(config.refused()).contains("the port is taken");
        taken = false;
        assertThat(config.release()).isTrue();
        assertThat(inForce).hasSize(1);
        assertThat(config.refused()).isEmpty();
        assertThat(config.release()).as("which is done once").isTrue();
        assertThat(inForce).hasSize(1);
    }
}
