package io.parley.wire.hpack;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.wire.hpack.KnownName.Keeping;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;

/** Writes the blocks of one connection in their order. */
public final class HpackEncoder {
    /** The first bits of a representation and those left to its number (RFC 7541 section 6). */
    private static final int INDEXED = 0x80;

    private static final int INDEXED_NUMBER = 0x7f;
    private static final int WITH_INDEXING = 0x40;
    private static final int WITH_INDEXING_NUMBER = 0x3f;
    private static final int SIZE_UPDATE = 0x20;
    private static final int SIZE_UPDATE_NUMBER = 0x1f;
    private static final int NEVER_INDEXED = 0x10;
    private static final int WITHOUT_INDEXING = 0;
    private static final int LITERAL_NUMBER = 0x0f;

    /** More would save few bytes and cost every connection memory at both ends. */
    private static final int LARGEST_TABLE = DynamicTable.INITIAL_LIMIT;

    private final BlockWriter block = new BlockWriter();
    private final SearchTable table = new SearchTable(LARGEST_TABLE);

    /** What the table's size shall be, and the smallest that was asked for since the last block. */
    private int wanted = LARGEST_TABLE;

    private int smallest = LARGEST_TABLE;

    /** The peer's SETTINGS_HEADER_TABLE_SIZE, all 32 bits of it; it takes effect with the next block. */
    public void maxTableSize(int bytes) {
        wanted = Integer.compareUnsigned(bytes, LARGEST_TABLE) < 0 ? bytes : LARGEST_TABLE;
        smallest = Math.min(smallest, wanted);
    }

    public void encode(Fields fields, ByteBuf out) {
        if (smallest != table.limit() || wanted != smallest) {
            resize();
        }
        for (int i = 0; i < fields.size(); i++) {
            field(fields.at(i));
        }
        block.flush(out);
    }

    /** The peer has evicted for the smallest size, even if a larger one came after it: it must hear of both (RFC 7541 section 4.2). */
    private void resize() {
        if (smallest < table.limit()) {
            resize(smallest);
        }
        if (wanted != table.limit()) {
            resize(wanted);
        }
        smallest = wanted;
    }

    private void resize(int size) {
        block.number(SIZE_UPDATE, SIZE_UPDATE_NUMBER, size);
        table.limit(size);
    }

    private void field(Field field) {
        KnownName known = KnownNames.of(field.name());
        if (field.secret() || known.isSecret(field.value())) {
            literal(NEVER_INDEXED, LITERAL_NUMBER, known, field);
            return;
        }
        int index = known.indexWith(field.value());
        if (index > 0) {
            indexed(index);
        } else if (known.keeping() == Keeping.LITERAL) {
            literal(WITHOUT_INDEXING, LITERAL_NUMBER, known, field);
        } else {
            repeatable(known, field);
        }
    }

    private void repeatable(KnownName known, Field field) {
        AsciiString name = known.shared(field.name());
        int age = table.find(name, field.value());
        if (age != SearchTable.NONE) {
            indexed(indexOf(age));
        } else if (field.size() > table.limit() / 2) {
            // It would push out most of what is there.
            literal(WITHOUT_INDEXING, LITERAL_NUMBER, known, field);
        } else {
            literal(WITH_INDEXING, WITH_INDEXING_NUMBER, known, field);
            table.add(Field.of(alone(name), alone(field.value())));
        }
    }

    private void indexed(int index) {
        block.reserve(BlockWriter.LONGEST_NUMBER);
        block.number(INDEXED, INDEXED_NUMBER, index);
    }

    private void literal(int pattern, int prefix, KnownName known, Field field) {
        // What a field counts beside its octets is more than its numbers take.
        block.reserve(field.size());
        int nameIndex = nameIndex(known, field.name());
        block.number(pattern, prefix, nameIndex);
        if (nameIndex == 0) {
            block.text(field.name());
        }
        block.text(field.value());
    }

    /** Where the tables have this name; 0 if nowhere. */
    private int nameIndex(KnownName known, AsciiString name) {
        if (known.first() > 0) {
            return known.first();
        }
        int age = table.findName(name);
        return age == SearchTable.NONE ? 0 : indexOf(age);
    }

    private static int indexOf(int age) {
        return StaticTable.LENGTH + 1 + age;
    }

    /** The table must not keep a whole buffer for the few octets of it that a text is. */
    private static AsciiString alone(AsciiString text) {
        return text.isEntireArrayUsed() ? text : new AsciiString(text.toByteArray(), false);
    }
}
