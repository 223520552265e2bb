package io.parley.resource.version;

import io.parley.agreement.version.ServiceRule;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what a policy says about the versions of one service: what is preferred, deprecated and switched off. */
final class RuleReader {
    private RuleReader() {}

    static ServiceRule read(Fields fields) {
        fields.needAnyOf("prefer", "deprecate", "off");
        List<String> prefer = fields.at("prefer").list(Field::requireText);
        Set<String> preferred = new HashSet<>();
        prefer.forEach(version -> once(preferred.add(version), version, "prefer", fields));
        Map<String, String> deprecate = notices(fields, "deprecate");
        Map<String, String> off = notices(fields, "off");
        for (String version : off.keySet()) {
            if (preferred.contains(version) || deprecate.containsKey(version)) {
                fields.fail("off", version + " (expected: a version that is neither preferred nor deprecated)");
            }
        }
        off.keySet().removeAll(preferred);
        return new ServiceRule(prefer, deprecate, off);
    }

    /** Version to what nodes are told about it; only a deprecation must say something. */
    private static Map<String, String> notices(Fields fields, String name) {
        Map<String, String> notices = new LinkedHashMap<>();
        fields.at(name).objects(notice -> {
            String version = notice.at("version").requireText();
            String message = name.equals("deprecate")
                    ? notice.at("message").requireText()
                    : notice.at("message").text();
            once(notices.putIfAbsent(version, message == null ? "" : message) == null, version, name, fields);
            return version;
        });
        return notices;
    }

    private static void once(boolean first, String version, String name, Fields fields) {
        if (!first && !version.isEmpty()) {
            fields.fail(name, version + " again (expected: each version once)");
        }
    }
}
