package io.parley.xds.server.session;

import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Clients that say what they think of an answer after the next one has left. On a delta stream each answer is answered for itself: the
 * one after it need not carry what was rejected.
 */
class LateAnswersTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String EDS = ENDPOINT.url(ApiVersion.V3);

    private final RecordedEvents events = new RecordedEvents();
    private final DeltaSession session = new DeltaSession(
            null,
            new SessionContext(
                    TypePolicy.xds(),
                    new ClientTraits(
                            ClientTraits.EmptyList.MAY_BE_WILDCARD,
                            ClientTraits.Names.NARROW,
                            ClientTraits.Expiry.UNDERSTOOD,
                            ClientTraits.Wrapping.UNDERSTOOD,
                            ClientTraits.Warming.NEEDED),
                    SessionLimits.DEFAULT,
                    events,
                    new NameSets(),
                    "control plane"));
    private Snapshot snapshot = Snapshot.EMPTY.with(ENDPOINT, ResourceSet.of(endpoints("a", 1), endpoints("b", 1)));
    private long now = 1;

    @BeforeEach
    void hasBoth() {
        request(List.of("a", "b"), "", null);
        request(List.of(), next(), null);
    }

    @Test
    void s9_aRejectionIsNotLost() {
        String bad = change("a", 2);
        beSilent();
        String good = change("b", 2);

        request(List.of(), bad, new ErrorDetail(3, "a is bad"));
        request(List.of(), good, null);

        assertThat(events.rejected).hasSize(1);
        assertThat(holdings()).containsExactlyInAnyOrder("a REJECTED a is bad", "b ACCEPTED");
        assertThat(session.describe(now).getFirst().rejection()).isNotNull();
    }

    @Test
    void aRejectionStandsUntilTheResourceIsAccepted() {
        String bad = change("a", 2);
        beSilent();
        String good = change("b", 2);
        request(List.of(), bad, new ErrorDetail(3, "a is bad"));
        request(List.of(), good, null);

        request(List.of(), change("a", 3), null);

        assertThat(holdings()).containsExactlyInAnyOrder("a ACCEPTED", "b ACCEPTED");
        assertThat(session.describe(now).getFirst().rejection()).isNull();
    }

    @Test
    void whatTheNextAnswerHasTooIsDecidedByWhatIsSaidOfThat() {
        String bad = change("a", 2);
        beSilent();
        String good = change("a", 3);

        request(List.of(), bad, new ErrorDetail(3, "a is bad"));
        request(List.of(), good, null);

        assertThat(holdings()).containsExactlyInAnyOrder("a ACCEPTED", "b ACCEPTED");
    }

    @Test
    void anAcceptanceHoldsThoughTheNextAnswerIsRejected() {
        String good = change("a", 2);
        beSilent();
        String bad = change("b", 2);

        request(List.of(), good, null);
        request(List.of(), bad, new ErrorDetail(3, "b is bad"));

        assertThat(holdings()).containsExactlyInAnyOrder("a ACCEPTED", "b REJECTED b is bad");
    }

    @Test
    void aClientThatSaysNothingForVeryLongIsTakenAtItsLastWord() {
        String last = "";
        for (int port = 2; port < 20; port++) {
            last = change(port % 2 == 0 ? "a" : "b", port);
            beSilent();
        }
        request(List.of(), last, null);

        assertThat(holdings()).containsExactlyInAnyOrder("a ACCEPTED", "b ACCEPTED");
    }

    @Test
    void aRejectionEndsWhenWhatReplacesItIsAcceptedLate() {
        request(List.of(), change("a", 2), new ErrorDetail(3, "a is bad"));
        beSilent();
        String good = change("a", 3);
        beSilent();
        change("b", 2);

        request(List.of(), good, null);

        assertThat(session.describe(now).getFirst().rejection()).isNull();
    }

    @Test
    void aHeartbeatThatIsAcceptedLateDoesNotMakeARejectionGoodAgain() {
        request(List.of(), change(endpoints("a", 2).expiringAfter(TTL)), new ErrorDetail(3, "a is bad"));
        now += TTL.toNanos();
        String beat = next();
        beSilent();
        String other = change("b", 2);

        request(List.of(), beat, null);
        assertThat(holdings()).contains("a REJECTED a is bad");
        request(List.of(), other, null);

        assertThat(holdings()).containsExactlyInAnyOrder("a REJECTED a is bad", "b ACCEPTED");
    }

    @Test
    void aRejectionIsNotLostWhenAHeartbeatHasLeftSince() {
        String bad = change(endpoints("a", 2).expiringAfter(TTL));
        beSilent();
        now += TTL.toNanos();
        String beat = next();

        request(List.of(), bad, new ErrorDetail(3, "a is bad"));
        request(List.of(), beat, null);

        assertThat(holdings()).containsExactlyInAnyOrder("a REJECTED a is bad", "b ACCEPTED");
    }

    private void beSilent() {
        now += SessionLimits.DEFAULT.patience().toNanos();
    }

    private void request(List<String> subscribe, String nonce, @Nullable ErrorDetail error) {
        assertThat(session.accept(new DeltaRequest(EDS, subscribe, List.of(), Map.of(), nonce, error), now))
                .isEmpty();
    }

    /** The nonce of the answer that tells of the change. */
    private String change(String name, int port) {
        return change(endpoints(name, port));
    }

    private String change(EncodedResource resource) {
        snapshot = snapshot.with(ENDPOINT, snapshot.resources(ENDPOINT).with(resource));
        return next();
    }

    private String next() {
        return session.next(snapshot, now).orElseThrow().nonce();
    }

    private List<String> holdings() {
        return session.describe(now).getFirst().resources().stream()
                .map(state -> state.name() + ' ' + state.holding() + words(state.rejected()))
                .toList();
    }

    private static String words(SubscriptionState.@Nullable Rejected rejected) {
        return rejected == null ? "" : ' ' + rejected.message();
    }
}
