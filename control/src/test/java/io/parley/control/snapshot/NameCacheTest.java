package io.parley.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.model.VirtualNames;
import io.parley.control.testing.Worlds;
import org.junit.jupiter.api.Test;

/** Names are made again when there is another, and only then. */
class NameCacheTest {
    private final NameCache cache = new NameCache();

    private VirtualNames names(String port, String... versions) {
        StringBuilder world = new StringBuilder("""
            type: VirtualOutbound
            mesh: default
            name: by-version
            selectors: [{match: {kuma.io/service: "*", version: "*"}}]
            conf:
              host: "{{.version}}.{{.service}}.mesh"
              port: "%s"
              parameters: [{name: service, tagKey: kuma.io/service}, {name: version}]
            """.formatted(port));
        for (int i = 0; i < versions.length; i++) {
            world.append("""
                ---
                type: Dataplane
                mesh: default
                name: orders-%1$d
                networking:
                  address: 10.0.1.%1$d
                  inbound: [{port: 80, tags: {kuma.io/service: orders, pod: p%1$d, version: %2$s}}]
                """.formatted(i + 1, versions[i]));
        }
        return cache.of(Worlds.mesh(world.toString()));
    }

    @Test
    void anotherEndpointOfTheSameNameChangesNothing() {
        VirtualNames before = names("80", "v1", "v2");
        assertThat(before.all()).hasSize(2);
        VirtualNames other = names("80", "v1", "v2", "v2");
        assertThat(other).isEqualTo(before);
    }

    @Test
    void aNameComesAndGoes() {
        assertThat(names("80", "v1").all()).hasSize(1);
        assertThat(names("80", "v1", "v2").all()).hasSize(2);
        assertThat(names("80", "v1").all()).hasSize(1);
    }

    @Test
    void anotherRuleMakesAllAnew() {
        names("80", "v1");
        assertThat(names("81", "v1").all())
                .allSatisfy(name -> assertThat(name.called().port()).isEqualTo(81));
    }
}
