package io.parley.wire.proxyprotocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Reads a PROXY protocol header. The specification (haproxy.org, proxy-protocol.txt) says that a receiver must know from its
 * configuration whether a header comes, and must never guess.
 */
public final class ProxyProtocol {
    private static final byte[] V1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] V2 = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

    private ProxyProtocol() {}

    /** Looks at the readable bytes; neither index moves. */
    public static ProxyRead read(ByteBuf in) {
        if (fits(in, V2)) {
            return in.readableBytes() < V2.length ? new ProxyRead.NeedMore(V2.length) : Version2.read(in);
        }
        if (fits(in, V1)) {
            return in.readableBytes() < V1.length ? new ProxyRead.NeedMore(V1.length) : Version1.read(in);
        }
        return new ProxyRead.Absent();
    }

    private static boolean fits(ByteBuf in, byte[] signature) {
        int limit = Math.min(signature.length, in.readableBytes());
        for (int i = 0; i < limit; i++) {
            if (in.getByte(in.readerIndex() + i) != signature[i]) {
                return false;
            }
        }
        return true;
    }
}
