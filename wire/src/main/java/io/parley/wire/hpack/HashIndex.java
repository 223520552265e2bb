package io.parley.wire.hpack;

/**
 * Finds positions of a ring by hash: open addressing in steps of one, never more than half full. A slot holds hash and position together,
 * so that most of a search touches one line of the cache.
 */
final class HashIndex {
    static final int NONE = -1;
    private static final long EMPTY = 0;

    private final long[] slots;
    private final int shift;

    /** For a ring with so many positions, a power of two. */
    HashIndex(int positions) {
        slots = new long[2 * positions];
        shift = Integer.numberOfLeadingZeros(slots.length) + 1;
    }

    /** Makes the upper bits depend on all of them: AsciiString's hash is best in the lower ones. */
    static int spread(int hash) {
        return hash * 0x9e3779b1;
    }

    /** Where a search begins. */
    int slotOf(int hash) {
        return spread(hash) >>> shift;
    }

    int after(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    boolean isEmpty(int slot) {
        return slots[slot] == EMPTY;
    }

    /** The position in this slot if it is there for this hash. */
    int positionFor(int hash, int slot) {
        long content = slots[slot];
        return (int) (content >>> Integer.SIZE) == hash ? (int) content - 1 : NONE;
    }

    void put(int slot, int hash, int position) {
        slots[slot] = ((long) hash << Integer.SIZE) | (position + 1);
    }

    /** Takes it out if it is there; what follows moves up, so that no search ends too early. */
    void remove(int hash, int position) {
        int slot = slotOf(hash);
        while (positionFor(hash, slot) != position) {
            if (isEmpty(slot)) {
                return;
            }
            slot = after(slot);
        }
        int hole = slot;
        for (int at = after(hole); !isEmpty(at); at = after(at)) {
            int home = slotOf((int) (slots[at] >>> Integer.SIZE));
            if (distance(home, at) >= distance(hole, at)) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = EMPTY;
    }

    private int distance(int from, int to) {
        return (to - from) & (slots.length - 1);
    }
}
