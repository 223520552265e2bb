package io.parley.resource.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Bytes of a stranger to documents. Never throws for what is in the bytes, and never spends more than {@link Limits} allow. */
public final class TextReader {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private TextReader() {}

    /** All documents, good and bad, in the order of the text. What follows a bad one may be missing. */
    public static List<TextDocument> read(byte[] bytes, Syntax syntax) {
        if (bytes.length > Limits.BYTES) {
            return List.of(new TextDocument.Unreadable(
                    0,
                    null,
                    bytes.length + " bytes (expected: at most " + Limits.BYTES + "; split it into several files)"));
        }
        Optional<String> text = decode(bytes);
        if (text.isEmpty()) {
            return List.of(new TextDocument.Unreadable(0, null, "not UTF-8 (expected: text in UTF-8)"));
        }
        return read(text.get(), syntax);
    }

    /** The text, or nothing if the bytes are not UTF-8. */
    public static Optional<String> decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return Optional.of(!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text);
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static List<TextDocument> read(String text, Syntax syntax) {
        return switch (syntax) {
            case JSON -> JsonTrees.read(text);
            case YAML -> {
                // JSON is YAML except for tabs between tokens, which JSON tools write.
                List<TextDocument> json = text.stripLeading().startsWith("{") ? JsonTrees.read(text) : List.of();
                boolean isJson = !json.isEmpty() && json.stream().allMatch(TextDocument.Read.class::isInstance);
                yield isJson ? json : YamlTrees.read(text);
            }
        };
    }
}
