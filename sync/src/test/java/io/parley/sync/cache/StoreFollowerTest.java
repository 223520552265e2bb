package io.parley.sync.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.StringValue;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Event;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.sync.codec.Outgoing;
import io.parley.sync.codec.SyncKinds;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreFollowerTest {
    private static final KindId TIMEOUT = new KindId("MeshTimeout");
    private static final List<Kind> KINDS = SyncKinds.toZones().stream()
            .filter(kind -> kind.id().equals(TIMEOUT))
            .toList();

    private final ResourceStore store = new MemoryStore(Retention.DEFAULT, InstantSource.system());
    private final AtomicBoolean faulty = new AtomicBoolean();
    private final AtomicInteger upsets = new AtomicInteger();
    private final StoreFollower follower =
            new StoreFollower(store, KINDS, Pace.DEFAULT, System::nanoTime, new StoreFollower.Observer() {
                @Override
                public boolean upsets(Event event) {
                    if (faulty.getAndSet(false)) {
                        upsets.incrementAndGet();
                        throw new IllegalStateException("a fault, on purpose");
                    }
                    return false;
                }
            });

    @AfterEach
    void close() {
        follower.close();
        store.close();
    }

    @Test
    void aResourceThatCannotBeEncodedTakesNoOtherDownAndStaysAsItWas() {
        put("a", "good");
        put("b", "good");
        LiveSnapshot live =
                follow((_, resource) -> encode(resource, resource.key().name()));
        await().untilAsserted(() -> assertThat(sent(live).names()).containsExactly("a", "b"));
        EncodedResource before = sent(live).find("a").orElseThrow();

        put("a", "cursed");
        put("c", "cursed");
        put("b", "better");
        put("d", "good");
        await().untilAsserted(() -> assertThat(sent(live).names()).containsExactlyInAnyOrder("a", "b", "d"));
        assertThat(sent(live).find("a")).contains(before);

        LiveSnapshot anew = follower.follow(
                "another encoding",
                (_, resource) -> encode(resource, "x-" + resource.key().name()));
        await().untilAsserted(() -> assertThat(sent(anew).names()).containsExactly("x-b", "x-d"));
        assertThat(sent(live).find("a")).as("after all was read again").contains(before);
        put("a", "good again");
        await().untilAsserted(() -> assertThat(sent(anew).names()).contains("x-a"));
    }

    @Test
    void ofTwoThatAreCalledTheSameOneIsSentAndTheOtherWhenThatIsGone() {
        put("a", "first");
        LiveSnapshot live = follow((_, resource) -> encode(resource, "same"));
        await().untilAsserted(() -> assertThat(sent(live).names()).containsExactly("same"));
        EncodedResource first = sent(live).find("same").orElseThrow();
        put("b", "second");
        put("c", "third");
        delete("b");
        put("a", "first, changed");
        await().untilAsserted(
                        () -> assertThat(sent(live).find("same")).isPresent().isNotEqualTo(Optional.of(first)));
        EncodedResource changed = sent(live).find("same").orElseThrow();
        delete("a");
        await().untilAsserted(
                        () -> assertThat(sent(live).find("same")).isPresent().isNotEqualTo(Optional.of(changed)));
        delete("c");
        await().untilAsserted(() -> assertThat(sent(live).names()).isEmpty());
    }

    @Test
    void aFaultWhileFollowingIsNotTheEndOfIt() {
        LiveSnapshot live =
                follow((_, resource) -> encode(resource, resource.key().name()));
        await().until(() -> live.current().isPresent());
        faulty.set(true);
        put("a", "good");
        await().untilAsserted(() -> assertThat(sent(live).names()).containsExactly("a"));
        assertThat(upsets).hasValue(1);
        put("b", "good");
        await().untilAsserted(() -> assertThat(sent(live).names()).isEqualTo(Set.of("a", "b")));
    }

    private LiveSnapshot follow(Outgoing outgoing) {
        LiveSnapshot live = follower.follow("one encoding", outgoing);
        follower.start();
        return live;
    }

    private static ResourceSet sent(LiveSnapshot live) {
        return live.current().orElse(Snapshot.EMPTY).resources("MeshTimeout");
    }

    private static Optional<EncodedResource> encode(Resource resource, String name) {
        if (resource.spec().json().contains("cursed")) {
            throw new ClassCastException("not what was expected");
        }
        return Optional.of(
                EncodedResource.of(name, StringValue.of(resource.spec().json())));
    }

    private void put(String name, String text) {
        store.put(Resource.of(key(name), new Document("{\"text\":\"" + text + "\"}")), Expected.anything());
    }

    private void delete(String name) {
        store.delete(key(name), Expected.anything());
    }

    private static ResourceKey key(String name) {
        return new ResourceKey(TIMEOUT, "default", name);
    }
}
