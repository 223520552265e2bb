package io.parley.wire.proxyprotocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The binary form: signature, version and command, family and transport, length, addresses, extensions. */
final class Version2 {
    /** Addresses and extensions. The field could say 65,535; nobody sends that much before a connection's first byte. */
    private static final int MAX_LENGTH = 4_096;

    private static final int FIXED = 16;
    private static final int COMMAND_AT = 12;
    private static final int FAMILY_AT = 13;
    private static final int LENGTH_AT = 14;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int EXTENSION_FIXED = 3;
    private static final byte CHECKSUM = 0x03;

    private Version2() {}

    static ProxyRead read(ByteBuf in) {
        int start = in.readerIndex();
        int readable = in.readableBytes();
        if (readable > COMMAND_AT) {
            int command = in.getUnsignedByte(start + COMMAND_AT);
            if (command != LOCAL && command != PROXY) {
                return malformed("version and command: " + Integer.toHexString(command) + " (expected: 20 or 21)");
            }
        }
        if (readable < FIXED) {
            return new ProxyRead.NeedMore(FIXED);
        }
        int length = in.getUnsignedShort(start + LENGTH_AT);
        if (length > MAX_LENGTH) {
            return malformed("length: " + length + " (expected: at most " + MAX_LENGTH + ")");
        }
        if (readable < FIXED + length) {
            return new ProxyRead.NeedMore(FIXED + length);
        }
        return whole(in.slice(start, FIXED + length));
    }

    private static ProxyRead whole(ByteBuf header) {
        int length = header.readableBytes();
        int command = header.getByte(COMMAND_AT);
        int family = header.getUnsignedByte(FAMILY_AT);
        ByteBuf body = header.slice(FIXED, length - FIXED);
        int addressBytes = switch (family) {
            case 0x11 -> 4;
            case 0x21 -> 16;
            default -> 0;
        };
        if (command == LOCAL || addressBytes == 0) {
            // The specification: skip what is not understood, and use the socket's own addresses.
            return new ProxyRead.Found(null, length);
        }
        if (body.readableBytes() < 2 * addressBytes + 4) {
            return malformed("length: " + body.readableBytes() + " (expected: at least " + (2 * addressBytes + 4)
                    + " for two addresses)");
        }
        InetAddress source = address(body, addressBytes);
        InetAddress destination = address(body, addressBytes);
        ProxiedAddresses addresses = new ProxiedAddresses(
                new InetSocketAddress(source, body.readUnsignedShort()),
                new InetSocketAddress(destination, body.readUnsignedShort()));
        String wrong = wrongExtension(header, length - body.readableBytes());
        return wrong == null ? new ProxyRead.Found(addresses, length) : malformed(wrong);
    }

    /**
     * What is wrong with the extensions; null if nothing is. They are not used, but one that does not fit shows that the length, and so the
     * start of the data, is wrong, and a checksum tells of any byte.
     */
    private static @Nullable String wrongExtension(ByteBuf header, int first) {
        int at = first;
        while (at < header.writerIndex()) {
            int content = at + EXTENSION_FIXED;
            int end = content <= header.writerIndex() ? content + header.getUnsignedShort(at + 1) : content;
            if (end > header.writerIndex()) {
                return "an extension is cut off";
            }
            if (header.getByte(at) == CHECKSUM && !isChecksum(header, content, end)) {
                return "its checksum is another";
            }
            at = end;
        }
        return null;
    }

    /** CRC32c of the whole header, in which the checksum itself counts as zeros. */
    private static boolean isChecksum(ByteBuf header, int from, int to) {
        if (to - from != Integer.BYTES) {
            return false;
        }
        byte[] bytes = ByteBufUtil.getBytes(header, 0, header.writerIndex());
        Arrays.fill(bytes, from, to, (byte) 0);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return checksum.getValue() == header.getUnsignedInt(from);
    }

    private static InetAddress address(ByteBuf body, int length) {
        byte[] bytes = new byte[length];
        body.readBytes(bytes);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + length + " bytes was refused", e);
        }
    }

    private static ProxyRead malformed(String because) {
        return new ProxyRead.Malformed(because);
    }
}
