package io.parley.wire.hpack;

import io.netty.util.AsciiString;
import io.parley.wire.http.Field;

/** The table of what was sent, the newest first, the oldest leaving when room is needed (RFC 7541 sections 2.3.2 and 4). */
class DynamicTable {
    /** What both ends begin with (RFC 9113 section 6.5.2). */
    static final int INITIAL_LIMIT = 4096;

    static final int FEW = 16;
    private static final Field NOTHING = Field.of(AsciiString.EMPTY_STRING, AsciiString.EMPTY_STRING);

    /** Its length is a power of two; it grows with the entries, as most connections have few. */
    private Field[] ring = new Field[FEW];

    private int next;
    private int length;
    private int size;
    private int limit;

    DynamicTable(int limit) {
        this.limit = limit;
    }

    final int length() {
        return length;
    }

    final int size() {
        return size;
    }

    final int limit() {
        return limit;
    }

    /** Of this age: the newest is of age 0. */
    final Field at(int age) {
        return ring[positionOf(age)];
    }

    final void limit(int bytes) {
        limit = bytes;
        shrinkTo(bytes);
    }

    /** One that is larger than the table empties it, which is no error (RFC 7541 section 4.4). */
    final void add(Field entry) {
        int more = entry.size();
        shrinkTo(limit - more);
        if (more > limit) {
            return;
        }
        if (length == ring.length) {
            grow();
        }
        ring[next] = entry;
        entered(next, entry);
        next = (next + 1) & (ring.length - 1);
        length++;
        size += more;
    }

    private void shrinkTo(int bytes) {
        while (length > 0 && size > bytes) {
            int oldest = positionOf(length - 1);
            Field entry = ring[oldest];
            leaving(oldest, entry);
            ring[oldest] = NOTHING;
            length--;
            size -= entry.size();
        }
    }

    private void grow() {
        Field[] larger = new Field[2 * length];
        for (int i = 0; i < length; i++) {
            larger[i] = at(length - 1 - i);
        }
        ring = larger;
        next = length;
        moved(larger.length);
        for (int i = 0; i < length; i++) {
            entered(i, larger[i]);
        }
    }

    private int positionOf(int age) {
        return (next - 1 - age) & (ring.length - 1);
    }

    final int ageOf(int position) {
        return (next - 1 - position) & (ring.length - 1);
    }

    final Field in(int position) {
        return ring[position];
    }

    /** For whoever looks for entries: one is now in this position of the ring. */
    void entered(int position, Field entry) {}

    /** This one is about to leave its position. */
    void leaving(int position, Field entry) {}

    /** The ring has now so many positions; every entry enters it again. */
    void moved(int positions) {}
}
