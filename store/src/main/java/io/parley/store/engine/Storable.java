package io.parley.store.engine;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Failure;
import io.parley.store.StoreException;

/** What every store can keep and give back unchanged. Kinds have narrower rules; these hold for all. */
final class Storable {
    static final int MAX_KEY_PART = 253;
    static final int MAX_LABEL_PART = 512;

    private Storable() {}

    static void demand(Resource resource) {
        ResourceKey key = resource.key();
        demand(key, "kind", key.kind().value(), MAX_KEY_PART);
        demand(key, "space", key.space(), MAX_KEY_PART);
        demand(key, "name", key.name(), MAX_KEY_PART);
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
        // PostgreSQL has no NUL in text, and half a surrogate pair would come back from UTF-8 as a question mark.
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == 0) {
                refuse(key, what + " has a NUL at index " + at + " (expected: none)");
            }
            if (Character.isSurrogate(c)) {
                if (!Character.isSurrogatePair(c, at + 1 < text.length() ? text.charAt(at + 1) : 0)) {
                    refuse(key, what + " has half a surrogate pair at index " + at + " (expected: valid Unicode)");
                }
                at++;
            }
        }
    }

    private static void refuse(ResourceKey key, String what) {
        throw new StoreException(new Failure.Unstorable(key, what));
    }
}
