package io.parley.agreement.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.agreement.reason.Decision;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The policy and the transition examples of gRPC A30 (draft of June 2020), each as a test. */
class FeatureTableTest {
    private static final FeatureTable<String> TODAY =
            FeatureTable.assuming("v2").then("v3", "xds_v3");
    private static final FeatureTable<String> NEXT_YEAR = TODAY.then("v3.1", "xds_v3_1");

    @Nested
    class DecidingWhatVersionToUse {
        @Test
        void speaksTheOldVersionIfOnlyThatOneIsNamed() {
            assertThat(chosen(NEXT_YEAR, List.of("xds_v3"))).isEqualTo("v3");
        }

        @Test
        void speaksTheNewVersionIfBothAreNamed() {
            assertThat(chosen(NEXT_YEAR, List.of("xds_v3", "xds_v3_1"))).isEqualTo("v3.1");
            assertThat(chosen(NEXT_YEAR, List.of("xds_v3_1", "xds_v3"))).isEqualTo("v3.1");
        }

        @Test
        void assumesVersion2OfAServerThatNamesNothing() {
            assertThat(chosen(TODAY, List.of())).isEqualTo("v2");
            assertThat(chosen(TODAY, List.of("something_else"))).isEqualTo("v2");
        }

        @Test
        void aNewVersionDropsTheThirdLastAndItsAssumption() {
            assertThat(TODAY.window().preferredFirst()).containsExactly("v3", "v2");
            assertThat(NEXT_YEAR.window().preferredFirst()).containsExactly("v3.1", "v3");
            assertThat(NEXT_YEAR.choose(List.of()))
                    .isEqualTo(new VersionChoice.NothingInCommon<>(
                            "this client speaks [v3.1, v3] and the server's features are [] (expected: one of"
                                    + " [xds_v3_1, xds_v3]; upgrade the server, or list the feature if it has it)"));
        }
    }

    /** N-1 is {@code v3}, N is {@code v3.1}; the server speaks both and its bootstrap files say so. */
    @Nested
    class ServerSupportsTheOldVersionAndTheNewOne {
        private final List<String> features = List.of("xds_v3", "xds_v3_1");

        @Test
        void anOlderClientSpeaksTheOldVersion() {
            assertThat(chosen(TODAY, features)).isEqualTo("v3");
        }

        @Test
        void aNewerClientSpeaksTheNewVersion() {
            assertThat(chosen(NEXT_YEAR, features)).isEqualTo("v3.1");
        }

        @Test
        void aNewerClientSpeaksTheOldVersionIfTheNewOneIsNotNamed() {
            assertThat(chosen(NEXT_YEAR, List.of("xds_v3"))).isEqualTo("v3");
        }
    }

    /** The same with N-1 = {@code v2}, which has no feature string. */
    @Nested
    class ServerSupportsVersion2And3 {
        private final List<String> features = List.of("xds_v3");

        @Test
        void anOlderClientSpeaksVersion2() {
            assertThat(chosen(TODAY.upTo("v2"), features)).isEqualTo("v2");
        }

        @Test
        void aNewerClientSpeaksVersion3() {
            assertThat(chosen(TODAY, features)).isEqualTo("v3");
        }

        @Test
        void aNewerClientSpeaksVersion2IfVersion3IsNotNamed() {
            assertThat(chosen(TODAY, List.of())).isEqualTo("v2");
        }
    }

    /** N is {@code v3}. The server is about to drop N-1 = {@code v2}; clients with (N-2, N-1) must move first. */
    @Nested
    class ServerDropsTheOldVersion {
        private final List<String> features = List.of("xds_v3");

        @Test
        void clientsMovedToTheOldAndTheNewVersionSpeakTheNewOne() {
            assertThat(chosen(TODAY, features)).isEqualTo("v3");
        }

        @Test
        void clientsMovedToTheNewAndTheNextVersionSpeakTheNewOneToo() {
            assertThat(chosen(NEXT_YEAR, features)).isEqualTo("v3");
        }

        @Test
        void onceTheOldFeatureIsRemovedAnOldClientThatIsStartedAfterAllIsToldSo() {
            FeatureTable<String> later = NEXT_YEAR.then("v4", "xds_v4");

            assertThat(NEXT_YEAR.choose(List.of("xds_v4"))).isInstanceOf(VersionChoice.NothingInCommon.class);
            assertThat(chosen(later, List.of("xds_v4"))).isEqualTo("v4");
        }

        @Test
        void aFeatureLeftInTheFileDoesNoHarm() {
            FeatureTable<String> later = NEXT_YEAR.then("v4", "xds_v4");

            assertThat(chosen(later, List.of("xds_v3", "xds_v3_1", "xds_v4"))).isEqualTo("v4");
        }
    }

    /** N+1 is {@code v3.1}: the server adds it to N = {@code v3}. */
    @Nested
    class ServerAddsTheNextVersion {
        @Test
        void nobodyUsesItUntilItsFeatureIsNamed() {
            assertThat(chosen(NEXT_YEAR, List.of("xds_v3"))).isEqualTo("v3");
        }

        @Test
        void clientsThatKnowItUseItOnceItsFeatureIsNamed() {
            assertThat(chosen(NEXT_YEAR, List.of("xds_v3", "xds_v3_1"))).isEqualTo("v3.1");
        }

        @Test
        void olderClientsIgnoreItsFeature() {
            assertThat(chosen(TODAY, List.of("xds_v3", "xds_v3_1"))).isEqualTo("v3");
        }
    }

    @Test
    void onlyAServerThatSkipsAVersionForcesLockStep() {
        FeatureTable<String> later = NEXT_YEAR.then("v4", "xds_v4");
        List<String> before = List.of("xds_v3");
        List<String> after = List.of("xds_v4");

        assertThat(chosen(NEXT_YEAR, before)).isEqualTo("v3");
        assertThat(NEXT_YEAR.choose(after)).isInstanceOf(VersionChoice.NothingInCommon.class);
        assertThat(later.choose(before)).isInstanceOf(VersionChoice.NothingInCommon.class);
        assertThat(chosen(later, after)).isEqualTo("v4");
    }

    @Test
    void saysWhy() {
        assertThat(decision(TODAY, List.of("xds_v3")))
                .hasToString("v3 because the server's features name xds_v3"
                        + " (bootstrap server_features by highest common version (gRPC A30))");
        assertThat(decision(TODAY, List.of("x")).because())
                .isEqualTo("every server is assumed to speak it and [x] name nothing newer of [v3, v2]");
    }

    @Test
    void refusesATableThatCouldNotDecide() {
        assertThatThrownBy(() -> TODAY.then("v4", "")).hasMessageContaining("expected: only the first");
        assertThatThrownBy(() -> TODAY.then("v4", "xds_v3")).hasMessageContaining("each one once");
        assertThatThrownBy(() -> TODAY.upTo("v9")).hasMessageContaining("version: v9 (expected: one of");
    }

    private static String chosen(FeatureTable<String> table, List<String> features) {
        return decision(table, features).value();
    }

    private static Decision<String> decision(FeatureTable<String> table, List<String> features) {
        return switch (table.choose(features)) {
            case VersionChoice.Agreed<String>(Decision<String> decision) -> decision;
            case VersionChoice.NothingInCommon<String>(String because) -> throw new AssertionError(because);
        };
    }
}
