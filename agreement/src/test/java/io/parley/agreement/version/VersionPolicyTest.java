package io.parley.agreement.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VersionPolicyTest {
    private static final ServiceCatalog CATALOG = ServiceCatalog.of(OfferedService.of("config", "v2", "v1"));
    private static final ServiceOffer BOTH = new ServiceOffer("config", List.of("v1", "v2"));
    private static final NodeDescription OLD = new NodeDescription("n", "KONG", "2.8.3.2-x", "");
    private static final NodeDescription NEW = new NodeDescription("n", "PARLEY", "0.2.0-beta", "");

    @Test
    void aPolicyCanPreferAVersionAndIsNamedAsTheReason() {
        var accepted = accepted(new PolicySet(List.of(every("calm", ServiceRule.preferring("v1")))), requester(), NEW);

        assertThat(accepted.version().value()).isEqualTo("v1");
        assertThat(accepted.version().source().resource()).isEqualTo("VersionPolicy/calm");
    }

    @Test
    void aPolicyCannotConjureAVersionThatIsNotServed() {
        var accepted =
                accepted(new PolicySet(List.of(every("bold", ServiceRule.preferring("v9", "v1")))), requester(), NEW);

        assertThat(accepted.version().value()).isEqualTo("v1");
    }

    @Test
    void aDeprecatedVersionIsAcceptedWithTheMessage() {
        var policies = new PolicySet(List.of(every("old", ServiceRule.deprecating("v2", "gone in June"))));

        var accepted = accepted(policies, requester(), NEW);

        assertThat(accepted.message()).isEqualTo("gone in June");
        assertThat(accepted.standing()).isEqualTo(ServiceOutcome.Standing.DEPRECATED);
    }

    @Test
    void aVersionSwitchedOffIsNotChosenAndItsRejectionNamesThePolicy() {
        var policies = new PolicySet(List.of(every("no-v2", ServiceRule.switchingOff("v2"))));

        assertThat(accepted(policies, requester(), NEW).version().value()).isEqualTo("v1");
        assertThat(answer(policies, requester(), NEW, new ServiceOffer("config", List.of("v2"))))
                .isInstanceOfSatisfying(ServiceOutcome.Rejected.class, rejected -> {
                    assertThat(rejected.reason().value()).isEqualTo(Rejection.SWITCHED_OFF);
                    assertThat(rejected.message())
                            .isEqualTo("only v1 is available: v2 is switched off by VersionPolicy/no-v2");
                });
    }

    @Test
    void aServiceCanBeSwitchedOffWhole() {
        var policies = new PolicySet(List.of(every("off", ServiceRule.switchingOff("v1", "v2"))));

        assertThat(answer(policies, requester(), NEW, BOTH).message())
                .isEqualTo("no version is available: v1 is switched off by VersionPolicy/off,"
                        + " v2 is switched off by VersionPolicy/off");
    }

    @Test
    void selectorsChooseByTenantTypeLabelsAndVersion() {
        assertThat(selects(new NodeSelector(Set.of("acme"), Set.of(), Map.of(), NodeVersionRange.ANY), NEW))
                .isTrue();
        assertThat(selects(new NodeSelector(Set.of("other"), Set.of(), Map.of(), NodeVersionRange.ANY), NEW))
                .isFalse();
        assertThat(selects(new NodeSelector(Set.of(), Set.of("KONG"), Map.of(), NodeVersionRange.ANY), NEW))
                .isFalse();
        assertThat(selects(new NodeSelector(Set.of(), Set.of(), Map.of("ring", "canary"), NodeVersionRange.ANY), NEW))
                .isTrue();
        assertThat(selects(new NodeSelector(Set.of(), Set.of(), Map.of("ring", "prod"), NodeVersionRange.ANY), NEW))
                .isFalse();
        assertThat(selects(versions("2.8.3", "2.8.4"), OLD)).isTrue();
        assertThat(selects(versions("2.8.3.3", "3"), OLD)).isFalse();
        assertThat(selects(versions("2.0", "2.8.3.2"), OLD)).isFalse();
        assertThat(selects(versions("0", "1"), new NodeDescription("n", "PARLEY", "nightly", "")))
                .isFalse();
    }

    @Test
    void theMoreSpecificPolicyHasTheFirstWordWhateverTheOrder() {
        var all = every("a-all", ServiceRule.switchingOff("v2"));
        var beta = new VersionPolicy(
                "z-beta",
                0,
                new NodeSelector(Set.of("acme"), Set.of(), Map.of(), NodeVersionRange.ANY),
                Map.of("config", ServiceRule.preferring("v2")));

        for (var order : List.of(List.of(all, beta), List.of(beta, all))) {
            var policies = new PolicySet(order);
            assertThat(accepted(policies, requester(), NEW).version().value()).isEqualTo("v2");
            assertThat(accepted(policies, new Requester("", Map.of(), "n"), NEW)
                            .version()
                            .value())
                    .isEqualTo("v1");
        }
    }

    @Test
    void aHigherPriorityHasTheFirstWordOverAMoreSpecificPolicy() {
        var kill = new VersionPolicy(
                "kill", 10, NodeSelector.EVERY_NODE, Map.of("config", ServiceRule.switchingOff("v2")));
        var beta = new VersionPolicy(
                "beta",
                0,
                new NodeSelector(Set.of("acme"), Set.of(), Map.of(), NodeVersionRange.ANY),
                Map.of("config", ServiceRule.preferring("v2")));

        assertThat(accepted(new PolicySet(List.of(beta, kill)), requester(), NEW)
                        .version()
                        .value())
                .isEqualTo("v1");
    }

    @Test
    void whatIsSaidAboutAVersionThatIsOffReachesTheNode() {
        var rule = new ServiceRule(List.of(), Map.of(), Map.of("v2", "CVE-1"));

        assertThat(answer(
                                new PolicySet(List.of(every("no-v2", rule))),
                                requester(),
                                NEW,
                                new ServiceOffer("config", List.of("v2")))
                        .message())
                .isEqualTo("only v1 is available: v2 is switched off by VersionPolicy/no-v2 (CVE-1)");
    }

    @Test
    void betweenEquallySpecificPoliciesTheNameDecides() {
        var policies = new PolicySet(
                List.of(every("b", ServiceRule.preferring("v2")), every("a", ServiceRule.preferring("v1"))));

        assertThat(accepted(policies, requester(), NEW).version().value()).isEqualTo("v1");
    }

    @Test
    void rulesOfSeveralPoliciesAddUp() {
        var policies = new PolicySet(
                List.of(every("a", ServiceRule.preferring("v1")), every("b", ServiceRule.deprecating("v1", "old"))));

        assertThat(accepted(policies, requester(), NEW).message()).isEqualTo("old");
    }

    @Test
    void aRuleMayNotPreferWhatItSwitchesOff() {
        assertThatThrownBy(() -> new ServiceRule(List.of("v1"), Map.of(), Map.of("v1", "")))
                .hasMessageContaining("switchOff: v1");
    }

    @Test
    void aVersionInUseIsPermittedUntilAPolicyWithholdsIt() {
        var before = new Negotiator(CATALOG, PolicySet.EMPTY.with(every("calm", ServiceRule.preferring("v1"))));
        var after = new Negotiator(CATALOG, PolicySet.EMPTY.with(every("calm", ServiceRule.switchingOff("v2"))));

        assertThat(before.permits(requester(), NEW, "config", "v2")).isTrue();
        assertThat(after.permits(requester(), NEW, "config", "v2")).isFalse();
        assertThat(after.permits(requester(), NEW, "config", "v1")).isTrue();
        assertThat(after.permits(requester(), NEW, "vitals", "v1")).isFalse();
    }

    @Test
    void aPreviewTellsWhoIsAcceptedDowngradedAndRejected() {
        var both = node(BOTH);
        var onlyNew = node(new ServiceOffer("config", List.of("v2")));
        var onlyOld = node(new ServiceOffer("config", List.of("v1")));
        var then = PolicySet.EMPTY.with(every("no-v2", ServiceRule.switchingOff("v2")));

        var preview = PolicyPreview.of(CATALOG, PolicySet.EMPTY, then, List.of(both, onlyNew, onlyOld));

        assertThat(preview)
                .extracting(PolicyPreview::effect)
                .containsExactly(
                        PolicyPreview.Effect.DOWNGRADED, PolicyPreview.Effect.REJECTED, PolicyPreview.Effect.ACCEPTED);
    }

    private static ConnectedNode node(ServiceOffer offer) {
        return new ConnectedNode(requester(), new NegotiationRequest(NEW, List.of(offer), Map.of()));
    }

    private static boolean selects(NodeSelector selector, NodeDescription node) {
        return selector.matches(requester(), node);
    }

    private static NodeSelector versions(String atLeast, String below) {
        return new NodeSelector(
                Set.of(),
                Set.of(),
                Map.of(),
                new NodeVersionRange(NodeVersion.require(atLeast), NodeVersion.require(below)));
    }

    private static VersionPolicy every(String name, ServiceRule rule) {
        return new VersionPolicy(name, 0, NodeSelector.EVERY_NODE, Map.of("config", rule));
    }

    private static Requester requester() {
        return new Requester("acme", Map.of("ring", "canary", "app", "shop"), "n");
    }

    private static ServiceOutcome.Accepted accepted(PolicySet policies, Requester requester, NodeDescription node) {
        return (ServiceOutcome.Accepted) answer(policies, requester, node, BOTH);
    }

    private static ServiceOutcome answer(
            PolicySet policies, Requester requester, NodeDescription node, ServiceOffer offer) {
        var request = new NegotiationRequest(node, List.of(offer), Map.of());
        var answer = (NegotiationAnswer.Answered) new Negotiator(CATALOG, policies).answer(requester, request);
        return answer.outcomes().getFirst();
    }
}
