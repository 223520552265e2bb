package io.parley.proxy.http2;

import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects the fields of one head after the other, as far as they are not too large (RFC 9113 section 6.5.2). */
final class HeadCollector implements Consumer<Field> {
    private static final Fields NONE = new Fields(0);

    private final int maxSize;
    private Fields fields = NONE;
    private long size;
    private boolean ordinary;
    private @Nullable String flaw;

    HeadCollector(int maxSize) {
        this.maxSize = maxSize;
    }

    void begin() {
        fields = new Fields();
        size = 0;
        ordinary = false;
        flaw = null;
    }

    /** A small block can name a large entry of its table a thousand times: what is too much is counted and not kept. */
    @Override
    public void accept(Field field) {
        size += field.size();
        if (size > maxSize) {
            return;
        }
        if (!field.isPseudo()) {
            ordinary = true;
        } else if (ordinary) {
            flaw = "pseudo-field-order";
        }
        fields.add(field);
    }

    boolean isTooLarge() {
        return size > maxSize;
    }

    /** The fields, for good. */
    Fields fields() {
        Fields collected = fields;
        fields = NONE;
        return collected;
    }

    /** What is wrong with the order of the fields: pseudo-fields come first (RFC 9113 section 8.3). */
    @Nullable
    String flaw() {
        return flaw;
    }
}
