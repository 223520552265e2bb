package io.parley.control.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.control.node.NodeKey;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnfilledLinksTest {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final UnfilledLinks links = new UnfilledLinks(timer, Duration.ofMillis(1), metrics);
    private final LiveSnapshot cell = new LiveSnapshot();
    private final NodeKey ghost = new NodeKey("default", "ghost");

    @AfterEach
    void stop() {
        timer.close();
    }

    private int unfilled() {
        return (int) metrics.get("parley.link.unfilled").gauge().value();
    }

    @Test
    void countsAProxyThatNobodyHasDeclaredUntilSomebodyDoes() {
        UnfilledLinks.Visitor visitor = links.joined(ghost, cell);
        await().until(() -> unfilled() == 1);

        cell.publish(Snapshot.EMPTY);
        visitor.filled();
        assertThat(unfilled()).isZero();
        visitor.filled();
        visitor.left();
        assertThat(unfilled()).isZero();
    }

    @Test
    void countsNobodyWhoHasLeft() {
        UnfilledLinks.Visitor visitor = links.joined(ghost, cell);
        await().until(() -> unfilled() == 1);

        visitor.left();
        assertThat(unfilled()).isZero();
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(ghost.resource()).isEqualTo("Dataplane ghost in mesh default");
        assertThat(NodeKey.ofGateway("shop", "edge").resource()).isEqualTo("Gateway edge.shop");
    }
}
