package io.parley.link.server;

import com.linecorp.armeria.common.QueryParams;
import io.parley.agreement.version.NodeVersion;
import java.util.List;

/** What a node says about itself in the URL of the upgrade. */
record ConnectParameters(String nodeId, String hostname, String version) {
    private static final int MAX_LENGTH = 256;

    /** Either the parameters, or what is wrong with them. */
    sealed interface Parsed {
        record Valid(ConnectParameters parameters) implements Parsed {}

        record Invalid(String reason) implements Parsed {}
    }

    static Parsed parse(QueryParams query) {
        for (String name : List.of("node_id", "node_hostname", "node_version")) {
            List<String> values = query.getAll(name);
            if (values.size() != 1) {
                return new Parsed.Invalid(name + ": given " + values.size() + " times (expected: once)");
            }
            String value = values.getFirst();
            if (value.length() > MAX_LENGTH || value.chars().anyMatch(Character::isISOControl)) {
                return new Parsed.Invalid(name + ": " + value.length() + " characters (expected: at most " + MAX_LENGTH
                        + ", none of them a control character)");
            }
        }
        var parameters = new ConnectParameters(
                query.get("node_id", ""), query.get("node_hostname", ""), query.get("node_version", ""));
        if (parameters.nodeId.isBlank()) {
            return new Parsed.Invalid("node_id: empty (expected: the id of the node)");
        }
        if (NodeVersion.parse(parameters.version).isEmpty()) {
            return new Parsed.Invalid(
                    "node_version: \"" + parameters.version + "\" (expected: a version such as 3.0.1 or 0.1.0-beta)");
        }
        return new Parsed.Valid(parameters);
    }
}
