package io.parley.control.snapshot;

import static io.parley.control.testing.Worlds.dataplane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.control.testing.Worlds;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProxySnapshotsTest {
    private final MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());

    @AfterEach
    void close() {
        store.close();
    }

    private void put(String yaml) {
        Worlds.resources(yaml).forEach(resource -> store.put(resource, Expected.anything()));
    }

    private void delete(String kind, String name) {
        store.delete(new ResourceKey(new KindId(kind), "default", name), Expected.anything());
    }

    /** A client of two services. */
    private static String client(String name, String... services) {
        StringBuilder yaml = new StringBuilder(dataplane(name, "10.0.9.1", "client:http")).append("  outbound:\n");
        int port = 9000;
        for (String service : services) {
            yaml.append("    - {port: ")
                    .append(port++)
                    .append(", tags: {kuma.io/service: ")
                    .append(service)
                    .append("}}\n");
        }
        return yaml.toString();
    }

    private static Map<String, String> versions(LiveSnapshot live) {
        Snapshot snapshot = live.current().orElse(Snapshot.EMPTY);
        Map<String, String> versions = new TreeMap<>();
        for (ResourceType type : ResourceType.values()) {
            for (EncodedResource resource : snapshot.resources(type).resources()) {
                versions.put(type + " " + resource.name(), resource.version());
            }
        }
        return versions;
    }

    private static void waitFor(ProxySnapshots snapshots, MemoryStore store, Work before) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            snapshots.settle();
            return snapshots.work().changes() > before.changes();
        });
        // A change is counted when it is begun.
        snapshots.settle();
        assertThat(store.revision().number()).isPositive();
    }

    @Test
    void hasNothingForAProxyThatIsNotDeclaredYetAndAllOfItOnceItIs() {
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot live = snapshots.of(new ProxyKey("default", "web-1"));
            snapshots.settle();
            assertThat(live.current()).isEmpty();
            put(dataplane("web-1", "10.0.0.1", "web:http"));
            await().until(() -> live.current().isPresent());
            assertThat(live.current()
                            .orElseThrow()
                            .resources(ResourceType.LISTENER)
                            .names())
                    .containsExactly("inbound:10.0.0.1:8080");
        }
    }

    @Test
    void whatNobodyWantsAnyMoreIsForgottenAndMadeAnewForWhoComesBack() {
        put(dataplane("gone", "10.0.0.1", "web:http") + dataplane("here", "10.0.0.2", "web:http"));
        AtomicLong now = new AtomicLong();
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null, now::get)) {
            LiveSnapshot.Watcher left = _ -> {};
            LiveSnapshot gone = snapshots.of(new ProxyKey("default", "gone"));
            gone.watch(left);
            LiveSnapshot here = snapshots.of(new ProxyKey("default", "here"));
            here.watch(_ -> {});
            for (int i = 0; i < 100; i++) {
                snapshots.of(new ProxyKey("default", "invented-" + i));
            }
            snapshots.settle();
            assertThat(snapshots.size()).isEqualTo(102);

            now.addAndGet(Duration.ofMinutes(2).toNanos());
            Work before = snapshots.work();
            put("{type: MeshTimeout, mesh: default, name: t, spec: {to: [{targetRef: {kind: Mesh}, default:"
                    + " {idleTimeout: 7s}}]}}");
            waitFor(snapshots, store, before);
            assertThat(snapshots.size())
                    .as("the invented ones are gone, the watched ones are not")
                    .isEqualTo(2);

            gone.unwatch(left);
            now.addAndGet(Duration.ofSeconds(30).toNanos());
            LiveSnapshot again = snapshots.of(new ProxyKey("default", "gone"));
            assertThat(again).as("within the grace").isSameAs(gone);
            now.addAndGet(Duration.ofMinutes(2).toNanos());
            before = snapshots.work();
            put(dataplane("another", "10.0.0.3", "web:http"));
            waitFor(snapshots, store, before);
            assertThat(snapshots.size()).isEqualTo(1);

            LiveSnapshot anew = snapshots.of(new ProxyKey("default", "gone"));
            snapshots.settle();
            assertThat(anew).isNotSameAs(gone);
            assertThat(versions(anew)).isEqualTo(versions(gone));
            assertThat(snapshots.of(new ProxyKey("default", "here"))).isSameAs(here);
        }
    }

    @Test
    void aChangeOfEndpointsReplacesEndpointsWhereTheyAreUsedAndNothingElseAnywhere() {
        put(client("a", "backend", "db")
                + client("b", "db")
                + dataplane("backend-1", "10.0.0.2", "backend:http")
                + dataplane("db-1", "10.0.0.3", "db:tcp"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot a = snapshots.of(new ProxyKey("default", "a"));
            LiveSnapshot b = snapshots.of(new ProxyKey("default", "b"));
            snapshots.settle();
            Map<String, String> aBefore = versions(a);
            Snapshot bBefore = b.current().orElseThrow();
            Work before = snapshots.work();
            put(dataplane("backend-2", "10.0.0.4", "backend:http"));
            waitFor(snapshots, store, before);
            Work done = snapshots.work().minus(before);
            assertThat(done).isEqualTo(new Work(1, 0, 1, 1, 1));
            assertThat(b.current()).containsSame(bBefore);
            Map<String, String> aAfter = versions(a);
            aBefore.remove("ENDPOINT backend");
            assertThat(aAfter).containsAllEntriesOf(aBefore);
        }
    }

    @Test
    void whatAnotherZoneOffersChangesForThoseWhoUseItOnly() {
        put(client("a", "backend") + client("b", "db") + ingress("{tags: {kuma.io/service: backend}, instances: 1}"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, "east")) {
            LiveSnapshot a = snapshots.of(new ProxyKey("default", "a"));
            LiveSnapshot b = snapshots.of(new ProxyKey("default", "b"));
            snapshots.settle();
            Map<String, String> aBefore = versions(a);
            Snapshot bBefore = b.current().orElseThrow();
            Work before = snapshots.work();
            put(ingress("{tags: {kuma.io/service: backend}, instances: 2}"));
            waitFor(snapshots, store, before);
            assertThat(snapshots.work().minus(before)).isEqualTo(new Work(1, 0, 1, 1, 1));
            assertThat(b.current()).containsSame(bBefore);
            assertThat(versions(a)).isNotEqualTo(aBefore);
        }
    }

    private static String ingress(String service) {
        return """
            ---
            type: ZoneIngress
            name: west-in
            zone: west
            networking: {address: 10.1.0.1, port: 10001, advertisedAddress: 198.51.100.7, advertisedPort: 443}
            availableServices: [%s]
            ---
            type: Mesh
            name: default
            mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
            """.formatted(service.replace("{tags", "{mesh: default, tags"));
    }

    @Test
    void severalExternalServicesOfOneNameAreOneClusterAndOneThatIsSpokenToOtherwiseIsShown() {
        put(client("a", "outside")
                + external("one", "10.7.0.1", "")
                + external("two", "10.7.0.2", "")
                + external("three", "10.7.0.3", ", tls: {enabled: true}"));
        ProxyKey key = new ProxyKey("default", "a");
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot live = snapshots.of(key);
            snapshots.settle();
            assertThat(live.current()
                            .orElseThrow()
                            .resources(ResourceType.CLUSTER)
                            .find("outside")
                            .orElseThrow()
                            .toAny()
                            .getValue()
                            .toStringUtf8())
                    .contains("10.7.0.1", "10.7.0.2")
                    .doesNotContain("10.7.0.3");
            assertThat(snapshots.problems(key))
                    .singleElement()
                    .asString()
                    .contains("ExternalService/three is not used");
        }
    }

    private static String external(String name, String address, String tls) {
        return """
            ---
            type: ExternalService
            mesh: default
            name: %s
            tags: {kuma.io/service: outside}
            networking: {address: "%s:443"%s}
            """.formatted(name, address, tls);
    }

    @Test
    void proxiesThatAreToHaveTheSameShareTheSameBytes() {
        put(client("a", "backend") + client("b", "backend") + dataplane("backend-1", "10.0.0.2", "backend:http"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot a = snapshots.of(new ProxyKey("default", "a"));
            LiveSnapshot b = snapshots.of(new ProxyKey("default", "b"));
            snapshots.settle();
            assertThat(a.current().orElseThrow().resources(ResourceType.CLUSTER))
                    .isSameAs(b.current().orElseThrow().resources(ResourceType.CLUSTER));
        }
    }

    @Test
    void aPoisonedResourceAmongAHundredIsRefusedAndShownAndTheRestIsServed() {
        for (int i = 0; i < 99; i++) {
            put(dataplane("web-" + i, "10.0.1." + i, "web:http"));
        }
        ResourceKey bad = new ResourceKey(new KindId("Dataplane"), "default", "web-bad");
        store.put(Resource.of(bad, new Document("{\"networking\":{\"inbound\":7}}")), Expected.anything());
        put(client("a", "web"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot live = snapshots.of(new ProxyKey("default", "a"));
            snapshots.settle();
            assertThat(live.current()).isPresent();
            assertThat(snapshots.feed().current().refusals().keys()).containsExactly(bad);
            assertThat(snapshots
                            .feed()
                            .current()
                            .mesh("default")
                            .orElseThrow()
                            .services()
                            .find("web")
                            .orElseThrow()
                            .endpoints()
                            .size())
                    .isEqualTo(99);
        }
    }

    @Test
    void aPatchThatMakesNoSenseIsLeftOutAndShown() {
        put(client("a", "web") + """
            ---
            type: MeshProxyPatch
            mesh: default
            name: odd
            spec:
              default:
                appendModifications:
                  - cluster: {operation: Add, value: "{name: extra, nonsense: 1}"}
                  - cluster: {operation: Add, value: "{name: good, type: STATIC}"}
            """);
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            ProxyKey key = new ProxyKey("default", "a");
            LiveSnapshot live = snapshots.of(key);
            snapshots.settle();
            assertThat(live.current()
                            .orElseThrow()
                            .resources(ResourceType.CLUSTER)
                            .names())
                    .contains("good")
                    .doesNotContain("extra");
            assertThat(snapshots.problems(key)).singleElement().asString().contains("appendModifications[0]");
        }
    }

    @Test
    void aProxyWhoseDataplaneIsGoneIsToldThatItHasNothing() {
        put(dataplane("web-1", "10.0.0.1", "web:http"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            LiveSnapshot live = snapshots.of(new ProxyKey("default", "web-1"));
            live.watch(_ -> {});
            snapshots.settle();
            delete("Dataplane", "web-1");
            await().until(() -> live.current().orElseThrow().equals(Snapshot.EMPTY));
        }
    }

    /** A control plane that was killed and started again must not give anybody a new configuration. */
    @Test
    void stepByStepGivesWhatAFreshStartGives() {
        long seed = 7;
        Random random = new Random(seed);
        put("type: Mesh\nname: default\nmtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}\n");
        put(client("a", "s0", "s1", "s2") + client("b", "s3"));
        try (ProxySnapshots snapshots = ProxySnapshots.open(store, null)) {
            ProxyKey[] keys = {new ProxyKey("default", "a"), new ProxyKey("default", "b"), new ProxyKey("default", "d1")
            };
            for (ProxyKey key : keys) {
                snapshots.of(key).watch(_ -> {});
            }
            for (int round = 0; round < 40; round++) {
                for (int step = 0; step < 3; step++) {
                    randomChange(random);
                }
                long revision = store.revision().number();
                await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    snapshots.settle();
                    try (ProxySnapshots fresh = ProxySnapshots.open(store, null)) {
                        for (ProxyKey key : keys) {
                            LiveSnapshot expected = fresh.of(key);
                            fresh.settle();
                            assertThat(versions(snapshots.of(key)))
                                    .as("seed %d, revision %d, %s", seed, revision, key)
                                    .isEqualTo(versions(expected));
                        }
                    }
                });
            }
        }
    }

    private void randomChange(Random random) {
        String name = "d" + random.nextInt(6);
        String[] protocols = {"http", "tcp", "grpc"};
        switch (random.nextInt(7)) {
            case 0 -> delete("Dataplane", name);
            case 1 ->
                put("""
                    type: MeshTimeout
                    mesh: default
                    name: t%d
                    spec:
                      targetRef: {kind: MeshService, name: %s}
                      to: [{targetRef: {kind: Mesh}, default: {idleTimeout: %ds}}]
                    """.formatted(random.nextInt(3), random.nextBoolean() ? "client" : "s1", random.nextInt(1, 60)));
            case 2 -> delete("MeshTimeout", "t" + random.nextInt(3));
            case 3 -> put("""
                type: MeshTrafficPermission
                mesh: default
                name: p
                spec:
                  from: [{targetRef: {kind: MeshSubset, tags: {kuma.io/protocol: %s}}, default: {action: Allow}}]
                """.formatted(protocols[random.nextInt(3)]));
            case 4 -> put("""
                type: ExternalService
                mesh: default
                name: e
                tags: {kuma.io/service: s%d, kuma.io/protocol: http}
                networking: {address: "example.com:80"}
                """.formatted(random.nextInt(4)));
            case 5 -> delete("ExternalService", "e");
            default ->
                put(dataplane(
                        name,
                        "10.0.0." + random.nextInt(1, 9),
                        "s" + random.nextInt(4) + ":" + protocols[random.nextInt(3)]));
        }
    }
}
