package io.parley.store.engine;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Failure;
import io.parley.store.Query;
import io.parley.store.StoreException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What every store can keep and give back unchanged. Kinds have narrower rules; these hold for all. */
public final class Storable {
    static final int MAX_KEY_PART = 253;
    static final int MAX_LABEL_PART = 512;

    private Storable() {}

    /** False if there can be no such key in any store. */
    public static boolean isKey(ResourceKey key) {
        return areTexts(List.of(key.kind().value(), key.space(), key.name()));
    }

    /** False if nothing in any store could match. */
    public static boolean canMatch(Query query) {
        return areTexts(List.of(query.kind().value(), query.space() == null ? "" : query.space()))
                && areTexts(query.labels().keySet())
                && areTexts(query.labels().values());
    }

    private static boolean areTexts(Collection<String> texts) {
        return texts.stream().allMatch(text -> fault(text) < 0);
    }

    /** Why no store can keep it; nothing if all can. */
    public static Optional<String> problem(Resource resource) {
        try {
            demand(resource);
            return Optional.empty();
        } catch (StoreException e) {
            return Optional.of(e.failure().message());
        }
    }

    static void demand(ResourceKey key) {
        demand(key, "kind", key.kind().value(), MAX_KEY_PART);
        demand(key, "space", key.space(), MAX_KEY_PART);
        demand(key, "name", key.name(), MAX_KEY_PART);
    }

    static void demand(Resource resource) {
        ResourceKey key = resource.key();
        demand(key);
        resource.labels().forEach((label, value) -> {
            demand(key, "label", label, MAX_LABEL_PART);
            demand(key, "label value", value, MAX_LABEL_PART);
        });
        resource.annotations().forEach((annotation, value) -> {
            demand(key, "annotation", annotation, Integer.MAX_VALUE);
            demand(key, "annotation value", value, Integer.MAX_VALUE);
        });
        demand(key, "spec", resource.spec().json(), Integer.MAX_VALUE);
        if (resource.status() != null) {
            demand(key, "status", resource.status().json(), Integer.MAX_VALUE);
        }
    }

    private static void demand(ResourceKey key, String what, String text, int maxLength) {
        if (text.length() > maxLength) {
            refuse(key, what + " of " + text.length() + " characters (expected: at most " + maxLength + ")");
        }
        int fault = fault(text);
        if (fault >= 0) {
            refuse(
                    key,
                    what
                            + " has U+%04X at index %d (expected: whole characters other than NUL)"
                                    .formatted((int) text.charAt(fault), fault));
        }
    }

    /** Where a text stops to be one: PostgreSQL has no NUL, and half a surrogate pair is lost in UTF-8; or -1. */
    private static int fault(String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (Character.isSurrogate(c)) {
                if (!Character.isSurrogatePair(c, at + 1 < text.length() ? text.charAt(at + 1) : 0)) {
                    return at;
                }
                at++;
            } else if (c == 0) {
                return at;
            }
        }
        return -1;
    }

    private static void refuse(ResourceKey key, String what) {
        throw new StoreException(new Failure.Unstorable(key, what));
    }
}
