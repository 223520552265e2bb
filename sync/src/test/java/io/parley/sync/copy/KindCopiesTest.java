package io.parley.sync.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.kind.Kind;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.sync.codec.Encoding;
import io.parley.sync.codec.ResourceCodec;
import io.parley.sync.codec.SyncKinds;
import io.parley.wire.sync.proto.KumaResource;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KindCopiesTest {
    private static final Kind SECRET = SyncKinds.toZones().stream()
            .filter(kind -> kind.id().equals(new KindId("Secret")))
            .findFirst()
            .orElseThrow();

    private final ResourceStore store = new MemoryStore(Retention.DEFAULT, InstantSource.system());
    private final KindCopies copies = new KindCopies(SECRET, store, new FromGlobal(), 10_000);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aFirstStateThatDoesNotEndIsGivenUpAndTheNextStreamBeginsAnew() {
        long stream = copies.begin(KindCopies.Start.FROM_NOTHING, Fence.NONE).stream();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        assertThat(copies.take(stream, piece("s-" + i, false)).isGood())
                                .isTrue();
                    }
                })
                .isInstanceOf(StateTooLargeException.class)
                .hasMessageStartingWith("Secret: more than 10000 bytes");
        assertThat(store.list(Query.of(SECRET.id())).total()).isZero();

        long next = copies.begin(KindCopies.Start.FROM_NOTHING, Fence.NONE).stream();
        for (int i = 0; i < 5; i++) {
            copies.take(next, piece("s-" + i, i == 4));
        }
        assertThat(store.list(Query.of(SECRET.id())).total()).isEqualTo(5);
    }

    @Test
    void ofWhatIsRejectedOnlySoMuchIsRememberedUntilAllIsToldAnew() {
        long stream = copies.begin(KindCopies.Start.FROM_NOTHING, Fence.NONE).stream();
        List<Delivery.Item> many = IntStream.range(0, RejectedItems.MOST)
                .mapToObj(i -> bad("bad-" + i, true).items().getFirst())
                .toList();
        assertThat(copies.take(stream, new Delivery(many, List.of(), true)).isGood())
                .isFalse();
        assertThat(copies.take(stream, bad("one-more", true)).standing())
                .hasSize(RejectedItems.MOST + 1)
                .first()
                .extracting(Problem::name)
                .isEqualTo("others");
        assertThat(copies.take(stream, piece("good", true)).standing())
                .as("what is taken repairs nothing else")
                .hasSize(RejectedItems.MOST + 1);

        long next = copies.begin(KindCopies.Start.FROM_NOTHING, Fence.NONE).stream();
        assertThat(copies.take(next, bad("bad-1", true)).standing())
                .extracting(Problem::name)
                .containsExactly("bad-1.default");
    }

    /** Seen with a zone that announced hashed names, called its resources as at home, and later came back without that feature. */
    @Test
    void aZoneThatGoesBackToPlainNamesReplacesWhatIsHereUnderItsHashedOnes() {
        Kind timeouts = SyncKinds.toGlobal().stream()
                .filter(kind -> kind.name().equals("MeshTimeout"))
                .findFirst()
                .orElseThrow();
        Resource zone = Resource.of(new ResourceKey(SyncKinds.ZONE, "", "zone-1"), new Document("{}"));
        store.commit(List.of(new Change.Put(zone, Expected.absent(), null)));

        assertThat(synchronised(timeouts, Encoding.Names.HASHED)).containsExactly("slow");
        assertThat(synchronised(timeouts, Encoding.Names.PLAIN)).containsExactly("zone-1.slow");
        assertThat(synchronised(timeouts, Encoding.Names.HASHED)).containsExactly("slow");
    }

    /** The names that the store has after a zone has sent its first state, one timeout. */
    private List<String> synchronised(Kind kind, Encoding.Names names) {
        var ofZone = new KindCopies(kind, store, new FromZone("zone-1", names, () -> {}));
        long stream = ofZone.begin(KindCopies.Start.FROM_NOTHING, Fence.NONE).stream();
        String spec = "{\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},\"default\":{\"idleTimeout\":\"1s\"}}]}";
        assertThat(ofZone.take(stream, delivery("slow", spec, true)).isGood()).isTrue();
        return store.list(Query.of(kind.id())).items().stream()
                .map(stored -> stored.resource().key().name())
                .toList();
    }

    /** Taken for one's own they would be keys that cannot be opened, and stand in the way of the next one that is made. */
    @Test
    void secretsThatAControlPlaneKeepsForItselfAreNotTaken() {
        Kind kind = SyncKinds.toZones().stream()
                .filter(each -> each.name().equals("GlobalSecret"))
                .findFirst()
                .orElseThrow();
        Resource secret = Resource.of(new ResourceKey(kind.id(), "", "token-signing-key-2"), new Document("{}"));
        Resource sealed = Resource.of(new ResourceKey(kind.id(), "", "any"), new Document("{}"))
                .withLabels(Map.of("parley.io/sealed", "true"));

        assertThat(new FromGlobal().adopt(kind, secret)).isInstanceOf(Result.Rejected.class);
        assertThat(new FromGlobal().adopt(kind, sealed)).isInstanceOf(Result.Rejected.class);
    }

    private static Delivery bad(String name, boolean completes) {
        Any any = Any.newBuilder()
                .setTypeUrl(ResourceCodec.TYPE_URL)
                .setValue(ByteString.copyFromUtf8("no message"))
                .build();
        return new Delivery(List.of(new Delivery.Item(name + ".default", "1", any)), List.of(), completes);
    }

    private static Delivery piece(String name, boolean completes) {
        return delivery(name, "{\"data\":\"" + "QUJD".repeat(250) + "\"}", completes);
    }

    private static Delivery delivery(String name, String spec, boolean completes) {
        KumaResource message = KumaResource.newBuilder()
                .setMeta(KumaResource.Meta.newBuilder().setName(name).setMesh("default"))
                .setSpec(Any.newBuilder().setValue(ByteString.copyFromUtf8(spec)))
                .build();
        Any any = Any.newBuilder()
                .setTypeUrl(ResourceCodec.TYPE_URL)
                .setValue(message.toByteString())
                .build();
        return new Delivery(List.of(new Delivery.Item(name + ".default", "1", any)), List.of(), completes);
    }
}
