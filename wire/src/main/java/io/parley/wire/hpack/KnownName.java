package io.parley.wire.hpack;

import io.netty.util.AsciiString;

/**
 * A name and what is known of it before any field came.
 *
 * @param first its first place in the static table; 0 if it has none
 * @param last its last place there: those of one name follow one another
 */
record KnownName(AsciiString name, int first, int last, Keeping keeping) {
    /** What any name is that nothing is known of. */
    static final KnownName UNKNOWN = new KnownName(AsciiString.EMPTY_STRING, 0, -1, Keeping.TABLE);

    /** What becomes of a field that the static table does not hold whole. */
    enum Keeping {
        /** It is likely to come again: into the table. */
        TABLE,

        /** Hardly two are alike: in the table it would only push others out. */
        LITERAL,

        /** No table on the way may keep it (RFC 7541 section 7.1.3). */
        SECRET,

        /** As short as it is, it could be guessed byte by byte from how well it compresses; a long one could not. */
        SECRET_IF_SHORT
    }

    private static final int SHORT = 20;

    /** The one object for this name if there is one: others like it are then seen to be the same at a glance. */
    AsciiString shared(AsciiString same) {
        return name.isEmpty() ? same : name;
    }

    boolean isSecret(AsciiString value) {
        return keeping == Keeping.SECRET || (keeping == Keeping.SECRET_IF_SHORT && value.length() < SHORT);
    }

    /** Where the static table has this name with this value; 0 if nowhere. */
    int indexWith(AsciiString value) {
        for (int index = first; index <= last; index++) {
            if (StaticTable.at(index).value().equals(value)) {
                return index;
            }
        }
        return 0;
    }
}
