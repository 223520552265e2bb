package io.parley.control.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.identity.seal.MasterKey;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Event;
import io.parley.store.Expected;
import io.parley.store.Outcome;
import io.parley.store.Query;
import io.parley.store.Retention;
import io.parley.store.Watch;
import io.parley.store.memory.MemoryStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SealingStoreTest {
    private static final KindId SECRET = new KindId("Secret");
    private static final ResourceKey KEY = new ResourceKey(SECRET, "default", "ca-key");
    private static final Resource RESOURCE = Resource.of(KEY, new Document("{\"data\":\"aGlkZGVu\"}"));

    private final SecureRandom random = new SecureRandom();
    private final MemoryStore below = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());
    private final SealingStore store = new SealingStore(below, new MasterKey(MasterKey.generate(random), random));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void secretsAreInClearForUsersAndSealedBelow() {
        try (Watch watch = store.watch(store.revision())) {
            store.put(RESOURCE, Expected.absent());
            assertThat(below.find(KEY).orElseThrow().resource().spec().json()).doesNotContain("aGlkZGVu");
            assertThat(store.find(KEY).orElseThrow().resource()).isEqualTo(RESOURCE);
            assertThat(store.list(Query.of(SECRET)).items())
                    .singleElement()
                    .satisfies(stored -> assertThat(stored.resource()).isEqualTo(RESOURCE));
            assertThat(watch.poll(Duration.ofSeconds(30)))
                    .isInstanceOfSatisfying(
                            Watch.Events.class,
                            seen -> assertThat(seen.events())
                                    .singleElement()
                                    .isInstanceOfSatisfying(
                                            Event.Written.class,
                                            written -> assertThat(
                                                            written.stored().resource())
                                                    .isEqualTo(RESOURCE)));
        }
    }

    @Test
    void theSameAgainChangesNothing() {
        store.put(RESOURCE, Expected.absent());
        assertThat(store.put(RESOURCE, Expected.anything())).isInstanceOf(Outcome.Unchanged.class);
    }

    @Test
    void whatWasInClearIsReadAndSealedWhenItIsWrittenAgain() {
        below.put(RESOURCE, Expected.absent());
        assertThat(store.find(KEY).orElseThrow().resource()).isEqualTo(RESOURCE);
        assertThat(store.put(RESOURCE, Expected.anything())).isInstanceOf(Outcome.Updated.class);
        assertThat(below.find(KEY).orElseThrow().resource().spec().json()).doesNotContain("aGlkZGVu");
    }

    @Test
    void otherKindsAreLeftAlone() {
        ResourceKey key = new ResourceKey(new KindId("Mesh"), "", "default");
        store.put(Resource.of(key, new Document("{\"x\":1}")), Expected.absent());
        assertThat(below.find(key).orElseThrow().resource().spec().json()).isEqualTo("{\"x\":1}");
    }
}
