package io.parley.agreement.version;

import java.util.List;
import java.util.Optional;

/** What a control plane answers to a request. */
public sealed interface NegotiationAnswer {
    /** The request lacked something. Nothing was agreed, and the message is all that the node gets. */
    record Invalid(String message) implements NegotiationAnswer {}

    /** One outcome for each requested service, in the order of the request. */
    record Answered(List<ServiceOutcome> outcomes) implements NegotiationAnswer {
        public Answered {
            outcomes = List.copyOf(outcomes);
        }

        public List<ServiceOutcome.Accepted> accepted() {
            return only(ServiceOutcome.Accepted.class);
        }

        public List<ServiceOutcome.Rejected> rejected() {
            return only(ServiceOutcome.Rejected.class);
        }

        public Optional<ServiceOutcome> find(String service) {
            return outcomes.stream()
                    .filter(outcome -> outcome.service().equals(service))
                    .findFirst();
        }

        private <T extends ServiceOutcome> List<T> only(Class<T> kind) {
            return outcomes.stream().filter(kind::isInstance).map(kind::cast).toList();
        }
    }
}
