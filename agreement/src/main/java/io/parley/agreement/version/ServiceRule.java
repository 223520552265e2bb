package io.parley.agreement.version;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a policy says about one service.
 *
 * @param prefer versions to choose before all others, in this order; naming one here also takes back that a less specific policy
 *     switched it off
 * @param deprecate version to the message that a node gets with it
 * @param switchOff versions that are not to be had, each with what a node is told that wants it; may be empty
 */
public record ServiceRule(List<String> prefer, Map<String, String> deprecate, Map<String, String> switchOff) {
    public ServiceRule {
        prefer = List.copyOf(prefer);
        deprecate = Map.copyOf(deprecate);
        switchOff = Map.copyOf(switchOff);
        for (String version : prefer) {
            if (switchOff.containsKey(version)) {
                throw new IllegalArgumentException(
                        "switchOff: " + version + " (expected: no version that the same rule prefers)");
            }
        }
    }

    public static ServiceRule preferring(String... versions) {
        return new ServiceRule(List.of(versions), Map.of(), Map.of());
    }

    public static ServiceRule deprecating(String version, String message) {
        return new ServiceRule(List.of(), Map.of(version, message), Map.of());
    }

    public static ServiceRule switchingOff(String... versions) {
        return new ServiceRule(
                List.of(), Map.of(), Stream.of(versions).collect(Collectors.toMap(version -> version, _ -> "")));
    }
}
