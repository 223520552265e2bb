package io.parley.resource.text;

import org.jspecify.annotations.Nullable;

/** Leaves a document that cannot be read. Never seen outside this package, and so without a stack trace. */
final class TextFault extends RuntimeException {
    private final transient @Nullable Position at;

    /** Whether nothing after this document is to be read either. */
    private final boolean fatal;

    private TextFault(String message, @Nullable Position at, boolean fatal) {
        super(message, null, false, false);
        this.at = at;
        this.fatal = fatal;
    }

    static TextFault ofDocument(String message, @Nullable Position at) {
        return new TextFault(message, at, false);
    }

    static TextFault ofText(String message, @Nullable Position at) {
        return new TextFault(message, at, true);
    }

    boolean isFatal() {
        return fatal;
    }

    TextDocument.Unreadable in(int document) {
        return new TextDocument.Unreadable(document, at, String.valueOf(getMessage()));
    }
}
