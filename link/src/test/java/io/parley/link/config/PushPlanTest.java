package io.parley.link.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.VersionedResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PushPlanTest {
    private static final ResourceState STATE =
            new ResourceState("7", Map.of("a", item("1"), "b", item("2"), "c", item("3")));

    @Test
    void aNodeThatHoldsNothingGetsEverything() {
        assertThat(PushPlan.of("type", Map.of(), STATE, 1_000)).singleElement().satisfies(push -> {
            assertThat(push.getResourcesList())
                    .extracting(VersionedResource::getName)
                    .containsExactly("a", "b", "c");
            assertThat(push.getSystemVersion()).isEqualTo("7");
            assertThat(push.getMore()).isFalse();
        });
    }

    @Test
    void aNodeGetsOnlyWhatItLacksAndLosesWhatIsGone() {
        assertThat(PushPlan.of("type", Map.of("a", "1", "b", "old", "x", "9"), STATE, 1_000))
                .singleElement()
                .satisfies(push -> {
                    assertThat(push.getResourcesList())
                            .extracting(VersionedResource::getName)
                            .containsExactly("b", "c");
                    assertThat(push.getRemovedResourcesList()).containsExactly("x");
                });
    }

    @Test
    void aNodeThatHoldsEverythingGetsNothing() {
        assertThat(PushPlan.of("type", Map.of("a", "1", "b", "2", "c", "3"), STATE, 1_000))
                .isEmpty();
    }

    @Test
    void aLargeChangeTravelsInPartsOfWhichOnlyTheLastIsTheLast() {
        assertThat(PushPlan.of("type", Map.of("x", "9"), STATE, 1))
                .extracting(PushRequest::getMore)
                .containsExactly(true, true, true, false);
    }

    @Test
    void namesThatAreGoneFillPartsToo() {
        var held = new HashMap<String, String>();
        for (int i = 0; i < 1_000; i++) {
            held.put("resource-" + i, "1");
        }

        List<PushRequest> parts = PushPlan.of("type", held, new ResourceState("8", Map.of()), 1_000);

        assertThat(parts).hasSizeGreaterThan(10).allMatch(part -> part.getSerializedSize() < 1_100);
        assertThat(parts.stream().flatMap(part -> part.getRemovedResourcesList().stream()))
                .containsExactlyInAnyOrderElementsOf(held.keySet());
    }

    private static ResourceState.Item item(String version) {
        return new ResourceState.Item(version, ByteString.copyFromUtf8("value"));
    }
}
