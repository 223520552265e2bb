package io.parley.xds.server.snapshot;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceSetTest {
    private final ResourceSet first = ResourceSet.of(endpoints("a", 1), endpoints("b", 1));

    @Test
    void versionsComeFromContentAlone() {
        ResourceSet again = ResourceSet.of(endpoints("b", 1), endpoints("a", 1));
        assertThat(again.version()).isEqualTo(first.version());
        assertThat(again.changesSince(first).isEmpty()).isTrue();
        assertThat(first.with(endpoints("a", 2)).version()).isNotEqualTo(first.version());
    }

    @Test
    void saysWhatChangedSinceAnEarlierSet() {
        ResourceSet later =
                first.with(endpoints("a", 2)).with(endpoints("c", 1)).without("b");
        Changes changes = later.changesSince(first);
        assertThat(changes.updated()).containsExactlyInAnyOrder("a", "c");
        assertThat(changes.removed()).containsExactly("b");
        assertThat(later.changesSince(first)).as("computed once").isSameAs(changes);
        assertThat(later.changesSince(ResourceSet.EMPTY).updated()).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void keepsWhatIsGoneBetweenMakingAndBreaking() {
        ResourceSet later = first.without("b").with(endpoints("c", 1));
        ResourceSet both = later.keepingRemovedOf(first);
        assertThat(both.names()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(later.keepingRemovedOf(first)).isSameAs(both);
        assertThat(first.with(endpoints("c", 1)).keepingRemovedOf(first).names())
                .hasSize(3);
    }

    @Test
    void findsWhatAReaderHasInTheSameVersion() {
        String version = first.find("a").orElseThrow().version();
        assertThat(first.matching(Map.of("a", version, "b", "old", "x", "1")).names())
                .containsExactly("a");
    }

    @Test
    void refusesTheSameNameTwice() {
        assertThatThrownBy(() -> ResourceSet.of(cluster("a"), cluster("a", 3))).hasMessage("resource given twice: a");
    }

    @Test
    void aSnapshotTellsChangesByType() {
        Snapshot before = Snapshot.EMPTY
                .with(io.parley.xds.type.ResourceType.ENDPOINT, first)
                .with(io.parley.xds.type.ResourceType.CLUSTER, ResourceSet.of(cluster("a")));
        Snapshot after = before.with(io.parley.xds.type.ResourceType.ENDPOINT, first.without("a"));
        assertThat(after.changesSince(before))
                .hasSize(1)
                .containsKey("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
        assertThatThrownBy(() -> Snapshot.EMPTY.with("type.googleapis.com/envoy.api.v2.Cluster", first))
                .hasMessageContaining("expected: type.googleapis.com/envoy.config.cluster.v3.Cluster");
    }
}
