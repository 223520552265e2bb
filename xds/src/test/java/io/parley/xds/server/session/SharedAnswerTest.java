package io.parley.xds.server.session;

import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Delta streams that get the same share an answer; each is answered as if it were alone. */
class SharedAnswerTest {
    private static final ClientTraits WITH_EXPIRY = new ClientTraits(
            ClientTraits.EmptyList.MAY_BE_WILDCARD,
            ClientTraits.Names.NARROW,
            ClientTraits.Expiry.UNDERSTOOD,
            ClientTraits.Wrapping.UNKNOWN,
            ClientTraits.Warming.NEEDED);
    private static final ResourceSet BEFORE =
            ResourceSet.of(endpoints("a", 1), endpoints("b", 1), endpoints("gone", 1));
    private static final ResourceSet AFTER = ResourceSet.of(
            endpoints("a", 2).expiringAfter(Duration.ofSeconds(10)), endpoints("b", 2), endpoints("new", 1));

    private final NameSets names = new NameSets();

    @Test
    void eachStreamIsToldOfAllThatItWantsAndOfNothingElse() throws Exception {
        List<String> all = List.of("a", "b", "gone", "new");
        DeltaSession first = upTo(BEFORE, ApiVersion.V3, ClientTraits.PLAIN, all);
        DeltaSession same = upTo(BEFORE, ApiVersion.V3, ClientTraits.PLAIN, all);
        DeltaSession busier = upTo(BEFORE, ApiVersion.V3, ClientTraits.PLAIN, List.of("x"), all);
        DeltaSession old = upTo(BEFORE, ApiVersion.V2, ClientTraits.PLAIN, all);
        DeltaSession expiring = upTo(BEFORE, ApiVersion.V3, WITH_EXPIRY, all);
        DeltaSession narrow = upTo(BEFORE, ApiVersion.V3, ClientTraits.PLAIN, List.of("b"));

        DeltaDiscoveryResponse answer = next(first);
        assertThat(told(answer)).containsExactlyInAnyOrder("a", "b", "new");
        assertThat(answer.getRemovedResourcesList()).containsExactly("gone");
        assertThat(answer.getSystemVersionInfo()).isEqualTo(AFTER.version());
        assertThat(next(same)).isEqualTo(answer);
        DeltaDiscoveryResponse later = next(busier);
        assertThat(later.getNonce()).isNotEqualTo(answer.getNonce());
        assertThat(later.toBuilder().setNonce(answer.getNonce()).build()).isEqualTo(answer);
        assertThat(next(old).getTypeUrl()).isEqualTo(ENDPOINT.url(ApiVersion.V2));
        assertThat(next(expiring).getResourcesList()).anyMatch(Resource::hasTtl);
        assertThat(next(same(first)).getResourcesList()).noneMatch(Resource::hasTtl);
        assertThat(told(next(narrow))).containsExactly("b");
    }

    /** A stream in the state before, of a client like that of the other one. */
    private DeltaSession same(DeltaSession other) {
        return upTo(BEFORE, ApiVersion.V3, other.context.traits(), List.of("a", "b", "gone", "new"));
    }

    @SafeVarargs
    private DeltaSession upTo(ResourceSet state, ApiVersion api, ClientTraits traits, List<String>... asked) {
        DeltaSession session = new DeltaSession(
                null,
                new SessionContext(
                        TypePolicy.xds(), traits, SessionLimits.DEFAULT, SessionEvents.NONE, names, "control-plane"));
        for (List<String> wanted : asked) {
            accept(session, new DeltaRequest(ENDPOINT.url(api), wanted, List.of(), Map.of(), "", null));
            EncodedResponse answer =
                    session.next(Snapshot.EMPTY.with(ENDPOINT, state), 1).orElseThrow();
            accept(session, new DeltaRequest(ENDPOINT.url(api), List.of(), List.of(), Map.of(), answer.nonce(), null));
        }
        return session;
    }

    private static void accept(DeltaSession session, DeltaRequest request) {
        assertThat(session.accept(request, 1)).isEmpty();
    }

    private static DeltaDiscoveryResponse next(DeltaSession session) throws Exception {
        return DeltaDiscoveryResponse.parseFrom(session.next(Snapshot.EMPTY.with(ENDPOINT, AFTER), 1)
                .orElseThrow()
                .toByteArray());
    }

    private static List<String> told(DeltaDiscoveryResponse answer) {
        return answer.getResourcesList().stream().map(Resource::getName).toList();
    }
}
