package io.parley.resource.text;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** One document of a text, by its place from 0. Documents without content are counted and left out. */
public sealed interface TextDocument {
    int index();

    /** It is well formed. */
    record Read(int index, JsonNode tree) implements TextDocument {}

    /**
     * It is not, or goes beyond a limit.
     *
     * @param at where, if that is known
     */
    record Unreadable(int index, @Nullable Position at, String message) implements TextDocument {}
}
