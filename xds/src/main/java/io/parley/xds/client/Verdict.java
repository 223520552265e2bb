package io.parley.xds.client;

import com.google.rpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the client thinks of an answer.
 *
 * @param accepted versions of the resources that it uses, by name
 * @param dropped names of resources that it no longer has after this answer
 * @param problems why the answer is refused; none if it is not
 */
record Verdict(Map<String, String> accepted, Set<String> dropped, List<String> problems) {
    /** gRPC's code for data that is wrong whatever the state of the system. */
    private static final int INVALID_ARGUMENT = 3;
    /** Requests are limited in size, and whoever reads this needs the first problems, not all. */
    private static final int MAX_MESSAGE = 4096;

    Verdict {
        accepted = Map.copyOf(accepted);
        dropped = Set.copyOf(dropped);
        problems = List.copyOf(problems);
    }

    boolean isAccepted() {
        return problems.isEmpty();
    }

    /** What to tell the server; nothing if all is well. */
    Optional<Status> detail() {
        if (isAccepted()) {
            return Optional.empty();
        }
        String message = String.join("; ", problems);
        String shown = message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE) + "...";
        return Optional.of(
                Status.newBuilder().setCode(INVALID_ARGUMENT).setMessage(shown).build());
    }
}
