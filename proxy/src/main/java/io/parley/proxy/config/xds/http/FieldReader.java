package io.parley.proxy.config.xds.http;

import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldEdits.Edit;
import io.parley.proxy.http.FieldEdits.Kind;
import io.parley.resource.policy.FramingFields;
import java.util.ArrayList;
import java.util.List;

/** Reads changes to header fields. */
public final class FieldReader {
    private FieldReader() {}

    /** What is removed is removed first: a field may be removed and then added anew. */
    public static FieldEdits read(List<HeaderValueOption> add, List<String> remove, Problems problems) {
        List<Edit> edits = new ArrayList<>();
        for (String name : remove) {
            if (frames(name)) {
                problems.add("", name + " to be removed (expected: a field that does not frame a message)");
            }
            edits.add(new Edit(Kind.REMOVE, name, ""));
        }
        for (int i = 0; i < add.size(); i++) {
            edits.add(edit(add.get(i), problems.under("[" + i + "]")));
        }
        return edits.isEmpty() ? FieldEdits.NONE : new FieldEdits(edits);
    }

    @SuppressWarnings("deprecation") // Old control planes write append.
    private static Edit edit(HeaderValueOption option, Problems problems) {
        String name = option.getHeader().getKey();
        String written = option.getHeader().getValue();
        String value = written.replace("%%", "%");
        if (!Matchers.isFieldValue(value)) {
            problems.add("header.value", "a control character (expected: printable text)");
        }
        if (written.replace("%%", "").indexOf('%') >= 0) {
            problems.add("header.value", written + " (expected: plain text; nothing is put in for %…%)");
        }
        if (name.isEmpty() || !name.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            problems.add("header.key", name + " (expected: the name of a header field)");
        }
        if (frames(name)) {
            problems.add("header.key", name + " (expected: a field that does not frame a message)");
        }
        Kind kind = option.hasAppend()
                ? option.getAppend().getValue() ? Kind.ADD : Kind.SET
                : switch (option.getAppendAction()) {
                    case APPEND_IF_EXISTS_OR_ADD, UNRECOGNIZED -> Kind.ADD;
                    case ADD_IF_ABSENT -> Kind.DEFAULT;
                    case OVERWRITE_IF_EXISTS_OR_ADD -> Kind.SET;
                    case OVERWRITE_IF_EXISTS -> Kind.REPLACE;
                };
        return new Edit(kind, name, value);
    }

    /** What begins with a colon is no field, and the line of a request or an answer is made of it. */
    private static boolean frames(String name) {
        return name.indexOf(':') >= 0 || FramingFields.has(name);
    }

    /** One after the other. */
    static FieldEdits together(FieldEdits first, FieldEdits second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() ? second : first;
        }
        List<Edit> all = new ArrayList<>(first.edits());
        all.addAll(second.edits());
        return new FieldEdits(all);
    }
}
