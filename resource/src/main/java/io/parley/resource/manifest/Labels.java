package io.parley.resource.manifest;

import io.parley.resource.read.Faults;
import io.parley.resource.read.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The rules of Kubernetes for labels and annotations, which hold in both forms. */
final class Labels {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern PREFIX =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_PREFIX = 253;
    private static final int MOST_ANNOTATION_CHARACTERS = 256 * 1024;

    private Labels() {}

    static void checkLabels(Map<String, String> labels, Path path, Faults faults) {
        labels.forEach((key, value) -> {
            checkKey(key, path, faults);
            if (!value.isEmpty() && !isName(value)) {
                faults.add(
                        path.field(key),
                        shown(value) + " (expected: at most " + LONGEST_NAME
                                + " letters, digits, '-', '_' and '.', with a letter or digit at both ends)");
            }
        });
    }

    static void checkAnnotations(Map<String, String> annotations, Path path, Faults faults) {
        long size = 0;
        for (Map.Entry<String, String> annotation : annotations.entrySet()) {
            checkKey(annotation.getKey(), path, faults);
            size += annotation.getKey().length() + annotation.getValue().length();
        }
        if (size > MOST_ANNOTATION_CHARACTERS) {
            faults.add(path, size + " characters (expected: at most " + MOST_ANNOTATION_CHARACTERS + ")");
        }
    }

    private static void checkKey(String key, Path path, Faults faults) {
        int slash = key.indexOf('/');
        String prefix = slash < 0 ? "" : key.substring(0, slash);
        boolean prefixIsGood = slash < 0
                || (prefix.length() <= LONGEST_PREFIX && PREFIX.matcher(prefix).matches());
        if (!prefixIsGood || !isName(key.substring(slash + 1))) {
            faults.add(
                    path,
                    "the key " + shown(key) + " (expected: a name of at most " + LONGEST_NAME
                            + " letters, digits, '-', '_' and '.', after an optional domain and '/')");
        }
    }

    private static boolean isName(String text) {
        return text.length() <= LONGEST_NAME && NAME.matcher(text).matches();
    }

    private static String shown(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "…";
    }
}
