package io.parley.wire.header;

import io.netty.buffer.ByteBuf;
import io.parley.wire.header.ConnectionHeader.Stage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The header's protobuf message. Written out by hand because it is read from strangers on every connection: four fields, strict
 * about their types and ranges, indifferent to fields it does not know, and nothing allocated that the wire did not carry.
 */
final class HeaderMessage {
    private static final int PORT = 1;
    private static final int NAME = 2;
    private static final int PROTOCOL = 3;

    /** Ours, and far from the numbers that the Linkerd project may give away. */
    private static final int UNDECIDED = 1000;

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private final HeaderMagic magic;
    private int port;
    private @Nullable String name;
    private @Nullable SessionProtocol protocol;
    private Stage stage = Stage.SETTLED;

    private HeaderMessage(HeaderMagic magic) {
        this.magic = magic;
    }

    static void write(ConnectionHeader header, ByteBuf out) {
        if (header.port() != 0) {
            writeVarint(tag(PORT, VARINT), out);
            writeVarint(header.port(), out);
        }
        if (header.name() != null) {
            byte[] name = header.name().getBytes(StandardCharsets.US_ASCII);
            writeVarint(tag(NAME, BYTES), out);
            writeVarint(name.length, out);
            out.writeBytes(name);
        }
        if (header.protocol() != null) {
            writeVarint(tag(PROTOCOL, BYTES), out);
            writeVarint(2, out);
            writeVarint(tag(header.protocol().field(), BYTES), out);
            writeVarint(0, out);
        }
        if (header.stage() == Stage.UNDECIDED) {
            writeVarint(tag(UNDECIDED, VARINT), out);
            writeVarint(1, out);
        }
    }

    /** Reads all of {@code message}, which is the end of a header of {@code headerLength} bytes. */
    static HeaderRead read(HeaderMagic magic, ByteBuf message, int headerLength) {
        try {
            HeaderMessage fields = new HeaderMessage(magic);
            while (message.isReadable()) {
                fields.readField(message);
            }
            return new HeaderRead.Found(fields.header(), headerLength);
        } catch (IndexOutOfBoundsException e) {
            return new HeaderRead.Malformed("a field points past the end of the message");
        } catch (IllegalArgumentException e) {
            return new HeaderRead.Malformed(String.valueOf(e.getMessage()));
        }
    }

    private ConnectionHeader header() {
        return new ConnectionHeader(magic, port, name, protocol, stage);
    }

    private void readField(ByteBuf message) {
        long tag = readVarint(message);
        int type = (int) (tag & 7);
        long field = tag >>> 3;
        if (field == 0 || field > (1 << 29) - 1) {
            throw new IllegalArgumentException("field number: " + field + " (expected: 1 to 536870911)");
        }
        switch ((int) field) {
            case PORT -> port = toPort(readVarint(message, type));
            case NAME -> name = text(readBytes(message, type));
            case PROTOCOL -> readProtocol(readBytes(message, type));
            case UNDECIDED -> stage = readVarint(message, type) == 0 ? Stage.SETTLED : Stage.UNDECIDED;
            default -> skip(message, type);
        }
    }

    /** A kind that is not known, or none, leaves the connection opaque; the last known kind wins, as in any oneof. */
    private void readProtocol(ByteBuf kinds) {
        while (kinds.isReadable()) {
            long tag = readVarint(kinds);
            for (SessionProtocol known : SessionProtocol.values()) {
                if (tag == tag(known.field(), BYTES)) {
                    protocol = known;
                }
            }
            skip(kinds, (int) (tag & 7));
        }
    }

    private static @Nullable String text(ByteBuf bytes) {
        return bytes.isReadable() ? bytes.toString(StandardCharsets.UTF_8) : null;
    }

    private static int toPort(long value) {
        if (value < 0 || value > 65535) {
            throw new IllegalArgumentException("port: " + value + " (expected: 1 to 65535)");
        }
        return (int) value;
    }

    private static void skip(ByteBuf message, int type) {
        switch (type) {
            case VARINT -> {
                long _ = readVarint(message);
            }
            case FIXED64 -> message.skipBytes(8);
            case BYTES -> {
                ByteBuf _ = readBytes(message, type);
            }
            case FIXED32 -> message.skipBytes(4);
            default -> throw new IllegalArgumentException("wire type: " + type + " (expected: 0, 1, 2 or 5)");
        }
    }

    private static ByteBuf readBytes(ByteBuf message, int type) {
        if (type != BYTES) {
            throw new IllegalArgumentException("wire type: " + type + " (expected: " + BYTES + ")");
        }
        long length = readVarint(message);
        if (length < 0 || length > message.readableBytes()) {
            throw new IndexOutOfBoundsException("length: " + length);
        }
        return message.readSlice((int) length);
    }

    private static long readVarint(ByteBuf message, int type) {
        if (type != VARINT) {
            throw new IllegalArgumentException("wire type: " + type + " (expected: " + VARINT + ")");
        }
        return readVarint(message);
    }

    private static long readVarint(ByteBuf message) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = message.readByte();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a varint is longer than 10 bytes");
    }

    private static void writeVarint(int value, ByteBuf out) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            out.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    private static int tag(int field, int type) {
        return (field << 3) | type;
    }
}
