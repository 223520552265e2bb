package io.parley.xds.server.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * Writes length-delimited protobuf fields by hand, so that the few bytes that differ between clients can be put around bytes that they
 * share. Only wire type 2 is needed, see <a href="https://protobuf.dev/programming-guides/encoding/">the encoding</a>.
 */
public final class WireFields {
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream out;

    public WireFields() {
        this(128);
    }

    public WireFields(int expectedBytes) {
        out = new ByteArrayOutputStream(expectedBytes);
    }

    public WireFields string(int field, String value) {
        return message(field, value.getBytes(UTF_8));
    }

    public WireFields message(int field, byte[] value) {
        return open(field, value.length).raw(value);
    }

    /** The start of a field whose {@code length} bytes are written elsewhere. */
    public WireFields open(int field, int length) {
        varint((field << 3) | LENGTH_DELIMITED);
        varint(length);
        return this;
    }

    public WireFields raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public int size() {
        return out.size();
    }

    public byte[] toBytes() {
        return out.toByteArray();
    }

    private void varint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }
}
