package io.parley.proxy.exchange;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.http.FieldEdits;

/** Does to the header fields of a message what is configured. */
public final class FieldEditing {
    private FieldEditing() {}

    public static void apply(FieldEdits edits, Http2Headers head) {
        for (FieldEdits.Edit edit : edits.edits()) {
            AsciiString name = new AsciiString(edit.name().equals("host") ? ":authority" : edit.name());
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
