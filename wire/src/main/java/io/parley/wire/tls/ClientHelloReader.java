package io.parley.wire.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.wire.name.DnsName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ClientHello (RFC 8446 section 4.1.2) from the readable bytes of a buffer and leaves them readable. The first byte that
 * cannot belong to one decides; a message may span several records and any number of reads.
 */
public final class ClientHelloReader {
    /** What a whole ClientHello may take, record headers included. */
    public static final int MAX_BYTES = 65_536;

    /** No client writes a first record this long; Linkerd draws the same line (case 34). */
    static final int MAX_RECORD = 8_192;

    /** Each look goes through all records that have come: strangers must not have it go through more than any client cuts one into. */
    static final int MAX_RECORDS = 1_024;

    private static final String TOO_LONG = "ClientHello longer than " + MAX_BYTES;
    private static final int RECORD_HEADER = 5;
    private static final int HANDSHAKE_HEADER = 4;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;

    private ClientHelloReader() {}

    /** Looks at the readable bytes; neither index moves. */
    public static HelloRead read(ByteBuf in) {
        String wrong = wrongStart(in);
        if (wrong != null) {
            return new HelloRead.NotTls(wrong);
        }
        ByteBuf message = Unpooled.buffer(Math.min(512, in.readableBytes()), MAX_BYTES);
        HelloRead unfinished = gather(in, message);
        return unfinished != null
                ? unfinished
                : parse(message.slice(HANDSHAKE_HEADER, length(message) - HANDSHAKE_HEADER));
    }

    /** Whether the readable bytes can hardly be anything but a ClientHello, as far as it has come: the record's header and the message's type. */
    public static boolean hasBegun(ByteBuf in) {
        return in.readableBytes() > RECORD_HEADER && wrongStart(in) == null;
    }

    /** The reason why the first bytes are not those of a ClientHello, or null as long as they may be. */
    private static @Nullable String wrongStart(ByteBuf in) {
        int start = in.readerIndex();
        int readable = in.readableBytes();
        if (readable > 0 && in.getByte(start) != 22) {
            return "byte 0 is not 22, a handshake record";
        }
        if (readable > 1 && in.getByte(start + 1) != 3) {
            return "byte 1 is not 3, the version of SSL 3 and TLS";
        }
        if (readable > 2 && in.getByte(start + 2) != 1 && in.getByte(start + 2) != 3) {
            return "byte 2 is neither 1 nor 3, the record versions that clients send";
        }
        if (readable > 3 && in.getUnsignedByte(start + 3) > MAX_RECORD >> 8) {
            return "record longer than " + MAX_RECORD;
        }
        if (readable > 5 && in.getByte(start + 5) != CLIENT_HELLO) {
            return "handshake message is not a ClientHello";
        }
        return null;
    }

    /** Copies the message out of its records; null when all of it is there. */
    private static @Nullable HelloRead gather(ByteBuf in, ByteBuf message) {
        int at = in.readerIndex();
        int end = in.writerIndex();
        int length = length(message);
        for (int records = 0; message.readableBytes() < length; records++) {
            if (records == MAX_RECORDS) {
                return new HelloRead.NotTls("ClientHello in more than " + MAX_RECORDS + " records");
            }
            if (end - at < RECORD_HEADER) {
                return needMore(at - in.readerIndex() + RECORD_HEADER);
            }
            int record = in.getUnsignedShort(at + 3);
            if (in.getByte(at) != 22 || in.getByte(at + 1) != 3 || record == 0 || record > MAX_RECORD) {
                return new HelloRead.NotTls(
                        "a record of the ClientHello is not a handshake record of 1 to " + MAX_RECORD + " bytes");
            }
            at += RECORD_HEADER;
            message.writeBytes(in, at, Math.min(Math.min(record, end - at), MAX_BYTES - message.readableBytes()));
            at += record;
            length = length(message);
            if (length > MAX_BYTES) {
                return new HelloRead.NotTls(TOO_LONG);
            }
            if (at > end) {
                // The message's length may decide before the record has ended; nothing else in it does.
                int lacking = HANDSHAKE_HEADER - message.readableBytes();
                return needMore((lacking > 0 ? Math.min(at, end + lacking) : at) - in.readerIndex());
            }
        }
        return null;
    }

    /** How long the message is, its header included; the header's own length until that is there. */
    private static int length(ByteBuf message) {
        return message.readableBytes() < HANDSHAKE_HEADER
                ? HANDSHAKE_HEADER
                : HANDSHAKE_HEADER + message.getUnsignedMedium(1);
    }

    private static HelloRead needMore(int atLeast) {
        return atLeast > MAX_BYTES ? new HelloRead.NotTls(TOO_LONG) : new HelloRead.NeedMore(atLeast);
    }

    private static HelloRead parse(ByteBuf body) {
        try {
            if (body.readUnsignedShort() != 0x0303) {
                return new HelloRead.NotTls("client version is not 3.3");
            }
            body.skipBytes(32);
            body.skipBytes(body.readUnsignedByte());
            body.skipBytes(body.readUnsignedShort());
            body.skipBytes(body.readUnsignedByte());
            return body.isReadable() ? extensions(body.readSlice(body.readUnsignedShort())) : found(null, List.of());
        } catch (IndexOutOfBoundsException e) {
            return new HelloRead.NotTls("a length inside the ClientHello points past its end");
        }
    }

    private static HelloRead extensions(ByteBuf extensions) {
        String name = null;
        List<String> protocols = List.of();
        while (extensions.isReadable()) {
            int type = extensions.readUnsignedShort();
            ByteBuf value = extensions.readSlice(extensions.readUnsignedShort());
            if (type == SERVER_NAME && value.isReadable()) {
                name = serverName(value);
                if (!DnsName.isValid(name)) {
                    return new HelloRead.NotTls("server name is not a DNS name");
                }
            } else if (type == ALPN) {
                protocols = protocols(value);
            }
        }
        return found(name, protocols);
    }

    private static String serverName(ByteBuf value) {
        ByteBuf list = value.readSlice(value.readUnsignedShort());
        while (list.isReadable()) {
            int type = list.readUnsignedByte();
            ByteBuf name = list.readSlice(list.readUnsignedShort());
            if (type == 0) {
                return name.toString(StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }

    private static List<String> protocols(ByteBuf value) {
        ByteBuf list = value.readSlice(value.readUnsignedShort());
        List<String> protocols = new ArrayList<>();
        while (list.isReadable()) {
            protocols.add(list.readSlice(list.readUnsignedByte()).toString(StandardCharsets.ISO_8859_1));
        }
        return protocols;
    }

    private static HelloRead found(@Nullable String name, List<String> protocols) {
        return new HelloRead.Found(new ClientHello(name, protocols));
    }
}
