package io.parley.agreement.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NegotiatorTest {
    private static final Requester ANYBODY = new Requester("", Map.of(), "dp-1");
    private static final ServiceCatalog CATALOG =
            ServiceCatalog.of(OfferedService.of("configuration", "v2", "v1"), OfferedService.of("vitals", "v3"));

    @Test
    void case2_theDesignDocumentsExample() {
        var node = new NodeDescription("42", "KONG", "2.6.1-beta", "");
        var answer = answered(
                new Requester("", Map.of(), ""),
                node,
                new ServiceOffer("configuration", List.of("v1", "v2")),
                new ServiceOffer("vitals", List.of("v1", "v2")));

        assertThat(answer.accepted()).singleElement().satisfies(accepted -> {
            assertThat(accepted.service()).isEqualTo("configuration");
            assertThat(accepted.version().value()).isEqualTo("v2");
        });
        assertThat(answer.rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.service()).isEqualTo("vitals");
            assertThat(rejected.reason().value()).isEqualTo(Rejection.NO_COMMON_VERSION);
            assertThat(rejected.message()).isEqualTo("only v3 is available");
        });
    }

    @Test
    void case3_theNodesOrderDoesNotMatter() {
        assertThat(chosen(CATALOG, "v1", "v2")).isEqualTo("v2");
        assertThat(chosen(CATALOG, "v2", "v1")).isEqualTo("v2");
    }

    @Test
    void case4_theControlPlanesOrderDecides() {
        var other = ServiceCatalog.of(OfferedService.of("configuration", "v1", "v2"));

        assertThat(chosen(other, "v1", "v2")).isEqualTo("v1");
    }

    @Test
    void case5_aRequestWithoutNodeIsInvalid() {
        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY)
                        .answer(ANYBODY, request(null, new ServiceOffer("vitals", List.of("v3")))))
                .isInstanceOfSatisfying(
                        NegotiationAnswer.Invalid.class,
                        invalid -> assertThat(invalid.message()).startsWith("node: missing"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "kong", "notKONG", "KONG "})
    void case6_onlyExactNodeTypesAreValid(String type) {
        assertInvalid(new NodeDescription("", type, "3.0.0", ""), "node.type: " + (type.isEmpty() ? "empty" : type));
    }

    @Test
    void case7_aNodeWithoutVersionIsInvalid() {
        assertInvalid(new NodeDescription("", "KONG", "", ""), "node.version: empty");
    }

    @Test
    void case8_theHostnameIsOptional() {
        assertThat(chosen(CATALOG, "v1")).isEqualTo("v1");
    }

    @Test
    void case9_anUnknownServiceIsRejectedAndTheOthersAreNot() {
        var answer = answered(
                ANYBODY,
                parley(),
                new ServiceOffer("wishes", List.of("v1")),
                new ServiceOffer("vitals", List.of("v3")));

        assertThat(answer.outcomes()).extracting(ServiceOutcome::service).containsExactly("wishes", "vitals");
        assertThat(answer.rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.reason().value()).isEqualTo(Rejection.UNKNOWN_SERVICE);
            assertThat(rejected.message()).isEqualTo("unknown service; available: configuration, vitals");
        });
    }

    @Test
    void case10_aRejectionNamesAllThatIsAvailable() {
        var answer = answered(ANYBODY, parley(), new ServiceOffer("configuration", List.of("v9")));

        assertThat(answer.outcomes().getFirst().message()).isEqualTo("only v2 and v1 are available");
    }

    @Test
    void case11_aServiceWithoutVersionsMakesTheRequestInvalidAndIsNamed() {
        assertInvalid(parley(), "services_requested[0].versions: 0 for service vitals", "vitals");
    }

    @Test
    void case12_emptyNamesAreInvalid() {
        assertInvalid(parley(), "services_requested[0].name: empty", "", "v1");
        assertInvalid(parley(), "services_requested[0].versions: an empty one", "vitals", "v3", "");
    }

    @Test
    void case13_aRequestForNothingIsInvalid() {
        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY).answer(ANYBODY, request(parley())))
                .isInstanceOf(NegotiationAnswer.Invalid.class);
    }

    @Test
    void case14_aServiceNamedTwiceIsInvalid() {
        var twice = new ServiceOffer("vitals", List.of("v3"));

        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY).answer(ANYBODY, request(parley(), twice, twice)))
                .isInstanceOfSatisfying(
                        NegotiationAnswer.Invalid.class,
                        invalid -> assertThat(invalid.message())
                                .isEqualTo("services_requested[1].name: vitals (expected: each service once)"));
    }

    @Test
    void case15_aVersionNamedTwiceIsHarmless() {
        assertThat(chosen(CATALOG, "v1", "v1")).isEqualTo("v1");
    }

    @Test
    void case16_namesMatchExactly() {
        var answer = answered(
                ANYBODY,
                parley(),
                new ServiceOffer("Vitals", List.of("v3")),
                new ServiceOffer("configuration", List.of("V1")));

        assertThat(answer.accepted()).isEmpty();
    }

    @Test
    void theIdInTheMessageAndTheIdInTheUrlMustAgree() {
        assertInvalid(new NodeDescription("dp-2", "PARLEY", "0.1.0", ""), "node.id: dp-2 (expected: dp-1");
    }

    @Test
    void anIdMustComeFromSomewhere() {
        var nobody = new Requester("", Map.of(), "");
        var request = request(parley(), new ServiceOffer("vitals", List.of("v3")));

        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY).answer(nobody, request))
                .isInstanceOf(NegotiationAnswer.Invalid.class);
    }

    @Test
    void requestsBeyondTheLimitsAreInvalidAndTheirTextIsNotEchoedWhole() {
        String huge = "x".repeat(100_000);
        assertInvalid(parley(), "services_requested[0].name: 100000 characters", huge, "v1");
        assertInvalid(parley(), "services_requested[0].versions: 101", "vitals", manyVersions());
        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY)
                        .answer(ANYBODY, request(new NodeDescription("", huge, "1", ""))))
                .isInstanceOfSatisfying(
                        NegotiationAnswer.Invalid.class,
                        invalid -> assertThat(invalid.message()).hasSizeLessThan(400));
        var many = Collections.nCopies(101, new ServiceOffer("vitals", List.of("v3")));
        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY)
                        .answer(ANYBODY, new NegotiationRequest(parley(), many, Map.of())))
                .isInstanceOf(NegotiationAnswer.Invalid.class);
    }

    private static String[] manyVersions() {
        return Collections.nCopies(101, "v1").toArray(String[]::new);
    }

    private static String chosen(ServiceCatalog catalog, String... offered) {
        var request = request(parley(), new ServiceOffer("configuration", List.of(offered)));
        var answer = (NegotiationAnswer.Answered) new Negotiator(catalog, PolicySet.EMPTY).answer(ANYBODY, request);
        return answer.accepted().getFirst().version().value();
    }

    private static void assertInvalid(NodeDescription node, String message) {
        assertInvalid(node, message, "vitals", "v3");
    }

    private static void assertInvalid(NodeDescription node, String message, String service, String... versions) {
        var request = request(node, new ServiceOffer(service, List.of(versions)));
        assertThat(new Negotiator(CATALOG, PolicySet.EMPTY).answer(ANYBODY, request))
                .isInstanceOfSatisfying(
                        NegotiationAnswer.Invalid.class,
                        invalid -> assertThat(invalid.message()).startsWith(message));
    }

    private static NegotiationAnswer.Answered answered(
            Requester requester, NodeDescription node, ServiceOffer... offers) {
        return (NegotiationAnswer.Answered)
                new Negotiator(CATALOG, PolicySet.EMPTY).answer(requester, request(node, offers));
    }

    private static NodeDescription parley() {
        return new NodeDescription("", "PARLEY", "0.1.0", "");
    }

    private static NegotiationRequest request(@Nullable NodeDescription node, ServiceOffer... offers) {
        return new NegotiationRequest(node, List.of(offers), Map.of());
    }
}
