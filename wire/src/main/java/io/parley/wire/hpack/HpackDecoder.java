package io.parley.wire.hpack;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.wire.http.Field;
import java.util.function.Consumer;

/**
 * Reads the blocks of one connection in their order. What is in a table is handed out as the one object that was made and looked at when it
 * came; only literals cost anything. It keeps no more than the table and hands out no more than the block holds and refers to: how much of
 * that is too much, whoever takes the fields decides.
 */
public final class HpackDecoder {
    /** The first bits of a representation and those left to its number (RFC 7541 section 6). */
    private static final int INDEXED = 0x80;

    private static final int INDEXED_NUMBER = 0x7f;
    private static final int WITH_INDEXING = 0x40;
    private static final int WITH_INDEXING_NUMBER = 0x3f;
    private static final int SIZE_UPDATE = 0x20;
    private static final int SIZE_UPDATE_NUMBER = 0x1f;
    private static final int NEVER_INDEXED = 0x10;
    private static final int LITERAL_NUMBER = 0x0f;

    private final BlockReader block = new BlockReader();
    private final DynamicTable table;
    private final int maxTableSize;

    /**
     * @param maxTableSize the SETTINGS_HEADER_TABLE_SIZE that the peer knows of. Below 4096 the table begins that small, so a peer that
     *     sends before it has read our settings could already have used more
     */
    public HpackDecoder(int maxTableSize) {
        this.maxTableSize = maxTableSize;
        // More than the initial size is in use only when the peer has said so (RFC 7541 section 4.2).
        table = new DynamicTable(Math.min(maxTableSize, DynamicTable.INITIAL_LIMIT));
    }

    /** Reads all that is readable, which is one whole block. After an exception nothing more can be read on this connection. */
    public void decode(ByteBuf whole, Consumer<Field> sink) throws HpackException {
        block.start(whole);
        // Only before the first field (RFC 7541 section 4.2).
        while (block.hasMore() && isSizeUpdate(block.peek())) {
            resize(block.number(block.next(), SIZE_UPDATE_NUMBER));
        }
        while (block.hasMore()) {
            sink.accept(field(block.next()));
        }
        block.finish();
    }

    private static boolean isSizeUpdate(int first) {
        return first >= SIZE_UPDATE && first < WITH_INDEXING;
    }

    private void resize(int size) throws HpackException {
        if (size > maxTableSize) {
            throw new HpackException("a table of " + size + " octets, where at most " + maxTableSize + " are allowed");
        }
        table.limit(size);
    }

    private Field field(int first) throws HpackException {
        if (first >= INDEXED) {
            return entry(block.number(first, INDEXED_NUMBER));
        }
        if (first >= WITH_INDEXING) {
            Field field = literal(block.number(first, WITH_INDEXING_NUMBER), false);
            table.add(field);
            return field;
        }
        if (first >= SIZE_UPDATE) {
            throw new HpackException("the size of the table changes after the first field of a block");
        }
        return literal(block.number(first, LITERAL_NUMBER), first >= NEVER_INDEXED);
    }

    private Field entry(int index) throws HpackException {
        if (index > 0 && index <= StaticTable.LENGTH) {
            return StaticTable.at(index);
        }
        int age = index - StaticTable.LENGTH - 1;
        if (age < 0 || age >= table.length()) {
            throw new HpackException(
                    "index " + index + ", where the tables have 1 to " + (StaticTable.LENGTH + table.length()));
        }
        return table.at(age);
    }

    private Field literal(int nameIndex, boolean secret) throws HpackException {
        if (nameIndex > 0) {
            Field named = entry(nameIndex);
            return Field.readNamedAs(named, block.text(), secret);
        }
        AsciiString name = block.text();
        return Field.read(KnownNames.of(name).shared(name), block.text(), secret);
    }

    /** What the peer made us keep. */
    DynamicTable table() {
        return table;
    }
}
