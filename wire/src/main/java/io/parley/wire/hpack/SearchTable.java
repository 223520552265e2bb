package io.parley.wire.hpack;

import io.netty.util.AsciiString;
import io.parley.wire.http.Field;

/** A dynamic table in which the encoder finds fields and names. No two entries are alike, as it looks before it adds. */
final class SearchTable extends DynamicTable {
    static final int NONE = -1;

    private HashIndex whole = new HashIndex(FEW);
    private HashIndex names = new HashIndex(FEW);

    SearchTable(int limit) {
        super(limit);
    }

    /** The age of the entry that says this. */
    int find(AsciiString name, AsciiString value) {
        int hash = hashOf(name, value);
        for (int slot = whole.slotOf(hash); !whole.isEmpty(slot); slot = whole.after(slot)) {
            int position = whole.positionFor(hash, slot);
            if (position != HashIndex.NONE && says(in(position), name, value)) {
                return ageOf(position);
            }
        }
        return NONE;
    }

    /** The age of the newest entry with this name. */
    int findName(AsciiString name) {
        int slot = slotOfName(name);
        return names.isEmpty(slot) ? NONE : ageOf(names.positionFor(name.hashCode(), slot));
    }

    private int slotOfName(AsciiString name) {
        int hash = name.hashCode();
        int slot = names.slotOf(hash);
        while (!names.isEmpty(slot)) {
            int position = names.positionFor(hash, slot);
            if (position != HashIndex.NONE && in(position).is(name)) {
                return slot;
            }
            slot = names.after(slot);
        }
        return slot;
    }

    private static boolean says(Field entry, AsciiString name, AsciiString value) {
        return entry.value().equals(value) && entry.is(name);
    }

    private static int hashOf(AsciiString name, AsciiString value) {
        return 31 * name.hashCode() + value.hashCode();
    }

    @Override
    void entered(int position, Field entry) {
        int hash = hashOf(entry.name(), entry.value());
        int slot = whole.slotOf(hash);
        while (!whole.isEmpty(slot)) {
            slot = whole.after(slot);
        }
        whole.put(slot, hash, position);
        names.put(slotOfName(entry.name()), entry.name().hashCode(), position);
    }

    @Override
    void leaving(int position, Field entry) {
        whole.remove(hashOf(entry.name(), entry.value()), position);
        names.remove(entry.name().hashCode(), position);
    }

    @Override
    void moved(int positions) {
        whole = new HashIndex(positions);
        names = new HashIndex(positions);
    }
}
