package io.parley.xds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RefusalPausesTest {
    private static final Verdict REFUSED = new Verdict(Map.of(), Set.of(), List.of("no such thing"));

    private final FakeLoop loop = new FakeLoop();
    private final List<String> told = new ArrayList<>();

    /** All clients of a server refuse the same at the same time. */
    @Test
    void clientsDoNotAllTellItTogether() {
        refuseTwice(new RefusalPauses(loop, () -> 0, _ -> told.add("one")));
        refuseTwice(new RefusalPauses(loop, () -> -1, _ -> told.add("other")));
        assertThat(told).containsExactly("one", "other");

        loop.advance(Duration.ofMillis(333));
        assertThat(told).containsExactly("one", "other", "one");
        loop.advance(Duration.ofMillis(333));
        assertThat(told).containsExactly("one", "other", "one", "other");
    }

    private static void refuseTwice(RefusalPauses pauses) {
        pauses.concluded(ResourceType.CLUSTER, REFUSED);
        pauses.concluded(ResourceType.CLUSTER, REFUSED);
    }
}
