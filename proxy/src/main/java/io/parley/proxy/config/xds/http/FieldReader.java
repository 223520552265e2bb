package io.parley.proxy.config.xds.http;

import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldEdits.Edit;
import io.parley.proxy.http.FieldEdits.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads changes to header fields. */
public final class FieldReader {
    private FieldReader() {}

    /** What is removed is removed first: a field may be removed and then added anew. */
    public static FieldEdits read(List<HeaderValueOption> add, List<String> remove, Problems problems) {
        List<Edit> edits = new ArrayList<>();
        for (String name : remove) {
            edits.add(new Edit(
                    Kind.REMOVE, WireText.field(name, (at, why) -> problems.add(at, "removal of " + why)), ""));
        }
        for (int i = 0; i < add.size(); i++) {
            edits.add(edit(add.get(i), problems.under("[" + i + "]")));
        }
        return edits.isEmpty() ? FieldEdits.NONE : new FieldEdits(edits);
    }

    @SuppressWarnings("deprecation") // Old control planes write append.
    private static Edit edit(HeaderValueOption option, Problems problems) {
        String name = WireText.field(option.getHeader().getKey(), problems.under("header.key"));
        String written = option.getHeader().getValue();
        String value = WireText.value(written.replace("%%", "%"), problems.under("header.value"));
        if (written.replace("%%", "").indexOf('%') >= 0) {
            problems.add("header.value", written + " (expected: plain text; nothing is put in for %…%)");
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
