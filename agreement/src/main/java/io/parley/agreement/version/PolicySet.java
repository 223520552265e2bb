package io.parley.agreement.version;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All policies in force, the one that has the first word coming first: the higher priority, then the
 * policy with more criteria in its selector, then the one whose name sorts first. The rules add up, and where two speak about the same thing the first word counts.
 */
public final class PolicySet {
    private static final Comparator<VersionPolicy> FIRST_WORD = Comparator.comparingInt(VersionPolicy::priority)
            .thenComparingInt(policy -> policy.selector().specificity())
            .reversed()
            .thenComparing(VersionPolicy::name);

    // After FIRST_WORD, which its constructor uses.
    public static final PolicySet EMPTY = new PolicySet(List.of());

    private final List<VersionPolicy> policies;

    public PolicySet(List<VersionPolicy> policies) {
        Set<String> names = new HashSet<>();
        for (VersionPolicy policy : policies) {
            if (!names.add(policy.name())) {
                throw new IllegalArgumentException("policy given twice: " + policy.name());
            }
        }
        this.policies = policies.stream().sorted(FIRST_WORD).toList();
    }

    /** This set with one policy added, or put in the place of the one that bears its name. */
    public PolicySet with(VersionPolicy policy) {
        Stream<VersionPolicy> others = policies.stream().filter(p -> !p.name().equals(policy.name()));
        return new PolicySet(Stream.concat(others, Stream.of(policy)).toList());
    }

    public List<VersionPolicy> policies() {
        return policies;
    }

    ServiceChoice choiceFor(OfferedService service, Requester requester, NodeDescription node) {
        List<VersionPolicy> speaking = policies.stream()
                .filter(policy -> policy.services().containsKey(service.name()))
                .filter(policy -> policy.selector().matches(requester, node))
                .toList();
        return new ServiceChoice(service, speaking);
    }

    @Override
    public String toString() {
        return policies.stream().map(VersionPolicy::name).toList().toString();
    }
}
