package io.parley.proxy.exchange;

import io.netty.util.AsciiString;
import io.parley.proxy.http.FieldEdits;
import io.parley.wire.http.Fields;

/** Does to the header fields of a message what is configured. */
public final class FieldEditing {
    private FieldEditing() {}

    public static void apply(FieldEdits edits, Fields head) {
        for (FieldEdits.Edit edit : edits.edits()) {
            AsciiString name = edit.name().equals("host") ? Fields.AUTHORITY : new AsciiString(edit.name());
            AsciiString value = new AsciiString(edit.value());
            switch (edit.kind()) {
                case SET -> head.set(name, value);
                case ADD -> head.add(name, value);
                case DEFAULT -> {
                    if (!head.contains(name)) {
                        head.add(name, value);
                    }
                }
                case REPLACE -> {
                    if (head.contains(name)) {
                        head.set(name, value);
                    }
                }
                case REMOVE -> head.remove(name);
            }
        }
    }
}
