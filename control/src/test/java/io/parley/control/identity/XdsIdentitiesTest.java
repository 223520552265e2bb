package io.parley.control.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.control.access.Place;
import io.parley.control.draft.Flavor;
import io.parley.control.keys.SealedSecrets;
import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.identity.seal.MasterKey;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a proxy is served is what its snapshot is now, with its certificate as it is now. */
class XdsIdentitiesTest {
    private static final NodeKey WEB = new NodeKey("default", "web-1");

    /** With so many a snapshot and its secrets take about as long to put together as a certificate takes to make. */
    private static final int OTHER_SECRETS = 5_000;

    private static final int ROUNDS = 100;
    private static final int MOST_CHANGES = 4;

    private final SecureRandom random = new SecureRandom();
    private final ResourceStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());
    private final MeshAuthorities authorities = new MeshAuthorities(
            store,
            new SealedSecrets(store, new MasterKey(MasterKey.generate(random), random)),
            Clock.systemUTC(),
            random,
            new Place.Alone());
    private final Dataplanes dataplanes = new Dataplanes(store);
    private final AskedClock clock = new AskedClock();
    private final List<Runnable> blocking = new ArrayList<>();
    private final XdsIdentities identities = new XdsIdentities(
            new TrustRollout(authorities, dataplanes, Duration.ZERO, Runnable::run), dataplanes, clock, blocking::add);
    private final ExecutorService timer = Executors.newSingleThreadExecutor();
    private final ResourceSet others = others();
    private final LiveSnapshot base = new LiveSnapshot(state(0));

    @AfterEach
    void close() {
        timer.close();
        store.close();
    }

    @Test
    void whenConfigurationAndCertificateChangeTogetherTheNewestOfBothIsServed() throws Exception {
        put("Mesh", "", "default", "{}");
        put(
                "Dataplane",
                "default",
                "web-1",
                "{\"networking\":{\"address\":\"127.0.0.1\",\"inbound\":[{\"port\":8080,"
                        + "\"tags\":{\"kuma.io/service\":\"web\"}}]}}");
        LiveSnapshot live = identities.of(WEB, Flavor.ENVOY, XdsIdentities.Proof.TOKEN, base);
        Runnable turn = blocking.getFirst();
        turn.run();
        assertThat(secrets(live).find(XdsIdentities.IDENTITY)).isPresent();
        long seed = random.nextLong();
        SplittableRandom changes = new SplittableRandom(seed);
        int states = 0;

        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch renewing = clock.aDayLater();
            Future<?> renewed = timer.submit(turn);
            renewing.await();
            for (int change = changes.nextInt(MOST_CHANGES); change >= 0; change--) {
                base.publish(state(++states));
            }
            renewed.get();

            ResourceSet served = secrets(live);
            assertThat(current(live).resources(ResourceType.CLUSTER).version())
                    .as("configuration, seed %d, round %d", seed, round)
                    .isEqualTo(current(base).resources(ResourceType.CLUSTER).version());
            base.publish(state(++states));
            assertThat(served.version())
                    .as("certificate, seed %d, round %d", seed, round)
                    .isEqualTo(secrets(live).version());
        }
    }

    private static Snapshot current(LiveSnapshot cell) {
        return cell.current().orElseThrow();
    }

    private static ResourceSet secrets(LiveSnapshot cell) {
        return current(cell).resources(ResourceType.SECRET);
    }

    private Snapshot state(int number) {
        Cluster cluster =
                Cluster.newBuilder().setName("a").setAltStatName("" + number).build();
        return Snapshot.EMPTY
                .with(ResourceType.CLUSTER, ResourceSet.of(EncodedResource.of(cluster)))
                .with(ResourceType.SECRET, others);
    }

    private static ResourceSet others() {
        List<EncodedResource> secrets = new ArrayList<>();
        for (int number = 0; number < OTHER_SECRETS; number++) {
            secrets.add(EncodedResource.of(
                    Secret.newBuilder().setName("other-" + number).build()));
        }
        return ResourceSet.of(secrets);
    }

    private void put(String kind, String mesh, String name, String spec) {
        ResourceKey key = new ResourceKey(new KindId(kind), mesh, name);
        store.put(Resource.of(key, new Document(spec)), Expected.anything());
    }

    /** Tells when it is asked, which is right before a certificate is renewed. */
    private static final class AskedClock extends Clock {
        private volatile Instant now = Instant.now();
        private volatile CountDownLatch asked = new CountDownLatch(1);

        CountDownLatch aDayLater() {
            now = now.plus(Duration.ofDays(1));
            asked = new CountDownLatch(1);
            return asked;
        }

        @Override
        public Instant instant() {
            asked.countDown();
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
