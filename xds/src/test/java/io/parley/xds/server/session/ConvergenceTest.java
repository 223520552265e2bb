package io.parley.xds.server.session;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.server.snapshot.Samples.endpoints;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens in whatever order, once it is quiet a client has what it asked for: changes, subscriptions that come and go, requests
 * that cross responses on the way, rejections, lost patience.
 */
class ConvergenceTest {
    private static final List<ResourceType> TYPES = List.of(ResourceType.CLUSTER, ResourceType.ENDPOINT);
    private static final int STEPS = 400;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aStateOfTheWorldClientEndsUpWithWhatItAskedFor(long seed) throws Exception {
        converges(seed, new SotwModel());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aDeltaClientEndsUpWithWhatItAskedFor(long seed) throws Exception {
        converges(seed, new DeltaModel());
    }

    private static void converges(long seed, ClientModel client) throws Exception {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> client.snapshot = change(client.snapshot, random);
                case 2 -> client.ask(TYPES.get(random.nextInt(2)), names(random));
                case 3, 4 -> client.serverTurn();
                case 5, 6 -> client.deliver(random.nextInt(5) == 0);
                case 7 -> client.now += Duration.ofMillis(random.nextInt(4000)).toNanos();
                default -> throw new IllegalStateException();
            }
        }
        client.settle();
        for (ResourceType type : TYPES) {
            assertThat(client.relevantView(type))
                    .as("%s of seed %d", type, seed)
                    .isEqualTo(client.expected(type));
        }
    }

    private static Snapshot change(Snapshot before, Random random) {
        boolean clusters = random.nextBoolean();
        ResourceType type = clusters ? ResourceType.CLUSTER : ResourceType.ENDPOINT;
        String name = "n" + random.nextInt(6);
        ResourceSet set = before.resources(type);
        if (random.nextInt(3) == 0) {
            return before.with(type, set.without(name));
        }
        int variant = 1 + random.nextInt(4);
        EncodedResource resource = clusters ? cluster(name, variant) : endpoints(name, variant);
        return before.with(type, set.with(resource));
    }

    /** At least one name: an empty list means different things at different times, which cases S7 are about. */
    private static Set<String> names(Random random) {
        Set<String> names = new HashSet<>(Set.of("n" + random.nextInt(6)));
        for (int i = 0; i < 6; i++) {
            if (random.nextBoolean()) {
                names.add("n" + i);
            }
        }
        return names;
    }

    /** A client as simple as can be, with a wire in between on which one message at a time arrives. */
    abstract static class ClientModel {
        final Map<ResourceType, Set<String>> wanted = new HashMap<>();
        final Map<ResourceType, Map<String, String>> view = new HashMap<>();
        final List<byte[]> wire = new ArrayList<>();
        Snapshot snapshot = Snapshot.EMPTY;
        long now = 1;

        abstract DiscoverySession session();

        abstract void ask(ResourceType type, Set<String> names);

        abstract void receive(byte[] response, boolean reject) throws Exception;

        void serverTurn() {
            session().next(snapshot, now).ifPresent(response -> wire.add(response.toByteArray()));
        }

        void deliver(boolean reject) throws Exception {
            if (!wire.isEmpty()) {
                receive(wire.removeFirst(), reject);
            }
        }

        void settle() throws Exception {
            for (int quiet = 0; quiet < 3; quiet++) {
                for (int i = 0; i < 100; i++) {
                    serverTurn();
                    deliver(false);
                }
                now += Duration.ofSeconds(30).toNanos();
            }
            assertThat(wire).isEmpty();
        }

        Map<String, String> held(ResourceType type) {
            return view.computeIfAbsent(type, _ -> new HashMap<>());
        }

        Map<String, String> expected(ResourceType type) {
            Map<String, String> expected = new HashMap<>();
            for (String name : wanted.getOrDefault(type, Set.of())) {
                snapshot.resources(type).find(name).ifPresent(resource -> expected.put(name, resource.version()));
            }
            return expected;
        }

        Map<String, String> relevantView(ResourceType type) {
            return held(type);
        }
    }
}
