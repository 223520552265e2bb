package io.parley.wire.header;

import io.netty.buffer.ByteBuf;

/** Connection headers to bytes and back: magic, length (u32, big endian), protobuf message. */
public final class ConnectionHeaderCodec {
    /** The longest message that is read. */
    public static final int MAX_MESSAGE = 65_536;

    private static final int LENGTH_FIELD = 4;

    private ConnectionHeaderCodec() {}

    /** Appends the header to {@code out}. */
    public static void write(ConnectionHeader header, ByteBuf out) {
        out.writeBytes(header.magic().bytes());
        int lengthAt = out.writerIndex();
        out.writeInt(0);
        HeaderMessage.write(header, out);
        out.setInt(lengthAt, out.writerIndex() - lengthAt - LENGTH_FIELD);
    }

    /** Looks at the readable bytes for a header with either magic; neither index moves. */
    public static HeaderRead read(ByteBuf in) {
        for (HeaderMagic magic : HeaderMagic.values()) {
            if (beginsLike(magic, in)) {
                return in.readableBytes() < magic.length()
                        ? new HeaderRead.NeedMore(magic.length() + LENGTH_FIELD)
                        : readMessage(magic, in);
            }
        }
        return new HeaderRead.Absent();
    }

    /** True as long as no readable byte contradicts the magic. */
    private static boolean beginsLike(HeaderMagic magic, ByteBuf in) {
        int limit = Math.min(magic.length(), in.readableBytes());
        for (int i = 0; i < limit; i++) {
            if (in.getByte(in.readerIndex() + i) != magic.at(i)) {
                return false;
            }
        }
        return true;
    }

    private static HeaderRead readMessage(HeaderMagic magic, ByteBuf in) {
        int start = magic.length() + LENGTH_FIELD;
        if (in.readableBytes() < start) {
            return new HeaderRead.NeedMore(start);
        }
        long length = in.getUnsignedInt(in.readerIndex() + magic.length());
        if (length > MAX_MESSAGE) {
            return new HeaderRead.Malformed("message length: " + length + " (expected: at most " + MAX_MESSAGE + ")");
        }
        int end = start + (int) length;
        if (in.readableBytes() < end) {
            return new HeaderRead.NeedMore(end);
        }
        return HeaderMessage.read(magic, in.slice(in.readerIndex() + start, (int) length), end);
    }
}
