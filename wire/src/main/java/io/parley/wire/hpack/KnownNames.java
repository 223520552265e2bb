package io.parley.wire.hpack;

import io.netty.util.AsciiString;
import io.parley.wire.hpack.KnownName.Keeping;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what is known of a name by one look into a table that is mostly empty. */
final class KnownNames {
    private static final Set<String> SECRET = Set.of("authorization", "proxy-authorization");
    private static final Set<String> LITERAL = Set.of(
            ":path",
            "content-length",
            "set-cookie",
            "location",
            "if-none-match",
            "if-modified-since",
            "age",
            "traceparent",
            "x-request-id");

    private static final int BITS = 9;
    private static final @Nullable KnownName[] SLOTS = slots();

    private KnownNames() {}

    private static @Nullable KnownName[] slots() {
        @Nullable KnownName[] slots = new @Nullable KnownName[1 << BITS];
        for (int first = 1; first <= StaticTable.LENGTH; ) {
            AsciiString name = StaticTable.at(first).name();
            int last = first;
            while (last < StaticTable.LENGTH && StaticTable.at(last + 1).is(name)) {
                last++;
            }
            put(slots, new KnownName(name, first, last, keepingOf(name.toString())));
            first = last + 1;
        }
        for (String text : LITERAL) {
            AsciiString name = AsciiString.cached(text);
            if (slots[slotOf(slots, name)] == null) {
                put(slots, new KnownName(name, 0, -1, Keeping.LITERAL));
            }
        }
        return slots;
    }

    private static Keeping keepingOf(String name) {
        if (SECRET.contains(name)) {
            return Keeping.SECRET;
        }
        if (LITERAL.contains(name)) {
            return Keeping.LITERAL;
        }
        return name.equals("cookie") ? Keeping.SECRET_IF_SHORT : Keeping.TABLE;
    }

    private static void put(@Nullable KnownName[] slots, KnownName known) {
        slots[slotOf(slots, known.name())] = known;
    }

    static KnownName of(AsciiString name) {
        KnownName known = SLOTS[slotOf(SLOTS, name)];
        return known == null ? KnownName.UNKNOWN : known;
    }

    /** Where it is, or the empty slot where it would be. */
    private static int slotOf(@Nullable KnownName[] slots, AsciiString name) {
        int slot = HashIndex.spread(name.hashCode()) >>> (Integer.SIZE - BITS);
        for (KnownName known = slots[slot]; known != null && !known.name().equals(name); known = slots[slot]) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }
}
