package io.parley.resource.version;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a policy says about the versions of one service.
 *
 * @param name as in the negotiation
 * @param prefer the best first; versions that are not named come after them in their usual order
 * @param deprecate still agreed to, with a message to the node
 * @param off not agreed to
 */
public record ServiceVersions(String name, List<String> prefer, List<Notice> deprecate, List<Notice> off) {
    /**
     * A version and what nodes are told about it.
     *
     * @param message null for the usual words; always there for a deprecation
     */
    public record Notice(String version, @Nullable String message) {}

    public ServiceVersions {
        prefer = List.copyOf(prefer);
        deprecate = List.copyOf(deprecate);
        off = List.copyOf(off);
    }

    static ServiceVersions read(Fields fields) {
        fields.needAnyOf("prefer", "deprecate", "off");
        ServiceVersions service = new ServiceVersions(
                fields.at("name").requireText(),
                fields.at("prefer").list(Field::requireText),
                fields.at("deprecate")
                        .objects(notice -> new Notice(
                                notice.at("version").requireText(),
                                notice.at("message").requireText())),
                fields.at("off")
                        .objects(notice -> new Notice(
                                notice.at("version").requireText(),
                                notice.at("message").text())));
        service.checkContradictions(fields);
        return service;
    }

    private void checkContradictions(Fields fields) {
        List<String> deprecated = deprecate.stream().map(Notice::version).toList();
        List<String> switchedOff = off.stream().map(Notice::version).toList();
        once(prefer, "prefer", fields);
        once(deprecated, "deprecate", fields);
        once(switchedOff, "off", fields);
        switchedOff.stream()
                .filter(version -> prefer.contains(version) || deprecated.contains(version))
                .forEach(version -> fields.fail(
                        "off", version + " (expected: a version that is neither preferred nor deprecated)"));
    }

    private static void once(List<String> versions, String name, Fields fields) {
        Set<String> seen = new HashSet<>();
        versions.stream()
                .filter(version -> !version.isEmpty() && !seen.add(version))
                .forEach(version -> fields.fail(name, version + " again (expected: each version once)"));
    }
}
