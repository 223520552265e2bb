package io.parley.resource.version;

import io.parley.agreement.version.ServiceRule;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what a policy says about the versions of one service: what is preferred, deprecated and switched off. */
final class RuleReader {
    private static final String PREFER = "prefer";
    private static final String DEPRECATE = "deprecate";
    private static final String OFF = "off";

    private RuleReader() {}

    /** A version, and what nodes are told about it. */
    private record Notice(String version, String message) {}

    static ServiceRule read(Fields fields) {
        fields.needAnyOf(PREFER, DEPRECATE, OFF);
        List<Notice> prefer = fields.at(PREFER).list(Field::requireText).stream()
                .map(version -> new Notice(version, ""))
                .toList();
        List<Notice> deprecate = fields.at(DEPRECATE)
                .objects(notice -> new Notice(
                        notice.at("version").requireText(), notice.at("message").requireText()));
        List<Notice> off = fields.at(OFF).objects(RuleReader::mayBeSilent);
        Map<String, String> preferred = each(prefer, PREFER, fields);
        Map<String, String> deprecated = each(deprecate, DEPRECATE, fields);
        Map<String, String> switchedOff = each(off, OFF, fields);
        for (String version : switchedOff.keySet()) {
            if (preferred.containsKey(version) || deprecated.containsKey(version)) {
                fields.fail(OFF, version + " (expected: a version that is neither preferred nor deprecated)");
            }
        }
        switchedOff.keySet().removeAll(preferred.keySet());
        return new ServiceRule(List.copyOf(preferred.keySet()), deprecated, switchedOff);
    }

    private static Notice mayBeSilent(Fields notice) {
        String version = notice.at("version").requireText();
        String message = notice.at("message").text();
        return new Notice(version, message == null ? "" : message);
    }

    private static Map<String, String> each(List<Notice> notices, String name, Fields fields) {
        Map<String, String> byVersion = new LinkedHashMap<>();
        for (Notice notice : notices) {
            if (byVersion.putIfAbsent(notice.version(), notice.message()) != null
                    && !notice.version().isEmpty()) {
                fields.fail(name, notice.version() + " again (expected: each version once)");
            }
        }
        return byVersion;
    }
}
