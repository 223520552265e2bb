package io.parley.sync.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.server.session.Rejection;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnrepairedTest {
    private static final String KIND = "MeshTimeout";

    private final Unrepaired unrepaired = new Unrepaired(Unrepaired.Answers.CHANGES);

    @Test
    void whatTheMessageNamesIsRepairedByABetterOneOfItAlone() {
        unrepaired.sent(KIND, List.of("a.default", "b.default"));
        unrepaired.rejected(KIND, "user error: a.default: bad");
        unrepaired.sent(KIND, List.of("b.default"));
        assertThat(unrepaired.taken(KIND)).isFalse();
        unrepaired.sent(KIND, List.of("a.default"));
        assertThat(unrepaired.taken(KIND)).isTrue();
    }

    @Test
    void whereTheMessageSaysThatItNamesNotAllAnyMayBeMeant() {
        unrepaired.sent(KIND, List.of("a.default", "b.default"));
        unrepaired.rejected(KIND, "user error: a.default: bad; and 1 more");
        unrepaired.sent(KIND, List.of("a.default"));
        assertThat(unrepaired.taken(KIND)).isFalse();
        unrepaired.sent(KIND, List.of("b.default"));
        assertThat(unrepaired.taken(KIND)).isTrue();
    }

    @Test
    void whereTheMessageWasCutAnyMayBeMeant() {
        String cut = new Rejection("2", "1", 3, "user error: a.default: " + "bad ".repeat(2000) + "; b.default: bad")
                .message();
        unrepaired.sent(KIND, List.of("a.default", "b.default"));
        unrepaired.rejected(KIND, cut);
        unrepaired.sent(KIND, List.of("a.default"));
        assertThat(unrepaired.taken(KIND)).isFalse();
        unrepaired.sent(KIND, List.of("b.default"));
        assertThat(unrepaired.taken(KIND)).isTrue();
    }
}
