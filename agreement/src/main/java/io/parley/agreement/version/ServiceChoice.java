package io.parley.agreement.version;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One service as one node gets to see it: what the control plane serves, seen through the policies that speak about the node. */
final class ServiceChoice {
    private static final String RULE = "control plane preference";

    private final OfferedService service;
    private final List<VersionPolicy> policies;

    /** @param policies those that match the node and speak about the service, the first word first */
    ServiceChoice(OfferedService service, List<VersionPolicy> policies) {
        this.service = service;
        this.policies = policies;
    }

    ServiceOutcome answer(ServiceOffer offer) {
        return available().stream()
                .filter(offer.versions()::contains)
                .findFirst()
                .<ServiceOutcome>map(this::accept)
                .orElseGet(() -> reject(offer));
    }

    /** What can be had, the most preferred first. */
    List<String> available() {
        Set<String> ordered = new LinkedHashSet<>();
        ordering().ifPresent(policy -> ordered.addAll(rule(policy).prefer()));
        ordered.retainAll(service.versions());
        ordered.addAll(service.versions());
        ordered.removeIf(version -> switchedOffBy(version) != null);
        return List.copyOf(ordered);
    }

    /** The policy that withholds this version, if one does: the first that names it has the word. */
    @Nullable
    VersionPolicy switchedOffBy(String version) {
        for (VersionPolicy policy : policies) {
            if (rule(policy).switchOff().containsKey(version)) {
                return policy;
            }
            if (rule(policy).prefer().contains(version)) {
                return null;
            }
        }
        return null;
    }

    private ServiceOutcome.Accepted accept(String version) {
        Optional<VersionPolicy> deprecating = policies.stream()
                .filter(policy -> rule(policy).deprecate().containsKey(version))
                .findFirst();
        if (deprecating.isPresent()) {
            String message = rule(deprecating.get()).deprecate().getOrDefault(version, "");
            return new ServiceOutcome.Accepted(
                    service.name(), decide(version), message, ServiceOutcome.Standing.DEPRECATED);
        }
        String note = service.find(version).map(OfferedVersion::note).orElse("");
        return new ServiceOutcome.Accepted(service.name(), decide(version), note, ServiceOutcome.Standing.CURRENT);
    }

    private Decision<String> decide(String version) {
        Optional<VersionPolicy> ordering = ordering();
        String because = version + " is the first of " + available() + " that the node offers";
        return ordering.map(policy -> new Decision<>(
                        version,
                        because,
                        new Source(policy.resource(), "services[" + service.name() + "].prefer", RULE)))
                .orElseGet(() -> new Decision<>(version, because, Source.ofRule(RULE)));
    }

    private ServiceOutcome.Rejected reject(ServiceOffer offer) {
        List<String> withheld = offer.versions().stream()
                .filter(service.versions()::contains)
                .distinct()
                .toList();
        if (withheld.isEmpty()) {
            return rejected(Rejection.NO_COMMON_VERSION, onlyAvailable(), Source.ofRule(RULE));
        }
        String because =
                withheld.stream().map(this::whyOff).collect(Collectors.joining(", ", onlyAvailable() + ": ", ""));
        Source source =
                new Source(offSwitch(withheld.getFirst()).resource(), "services[" + service.name() + "].off", RULE);
        return rejected(Rejection.SWITCHED_OFF, because, source);
    }

    private String whyOff(String version) {
        VersionPolicy policy = offSwitch(version);
        String message = rule(policy).switchOff().getOrDefault(version, "");
        return version + " is switched off by " + policy.resource() + (message.isEmpty() ? "" : " (" + message + ")");
    }

    private VersionPolicy offSwitch(String version) {
        VersionPolicy policy = switchedOffBy(version);
        if (policy == null) {
            throw new IllegalStateException(version + " of " + service.name() + " is served and yet was not chosen");
        }
        return policy;
    }

    private ServiceOutcome.Rejected rejected(Rejection rejection, String because, Source source) {
        return new ServiceOutcome.Rejected(service.name(), new Decision<>(rejection, because, source));
    }

    private String onlyAvailable() {
        List<String> available = available();
        return switch (available.size()) {
            case 0 -> "no version is available";
            case 1 -> "only " + available.getFirst() + " is available";
            default ->
                "only " + String.join(", ", available.subList(0, available.size() - 1)) + " and " + available.getLast()
                        + " are available";
        };
    }

    private Optional<VersionPolicy> ordering() {
        return policies.stream()
                .filter(policy -> !rule(policy).prefer().isEmpty())
                .findFirst();
    }

    private ServiceRule rule(VersionPolicy policy) {
        return policy.services().getOrDefault(service.name(), ServiceRule.preferring());
    }
}
