package io.parley.wire.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** ClientHellos as a real TLS implementation writes them, and the same cut into more records. */
public final class Hellos {
    private Hellos() {}

    public static ByteBuf real(@Nullable String name, List<String> protocols) {
        try {
            SSLEngine engine = SSLContext.getDefault().createSSLEngine();
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
            parameters.setApplicationProtocols(protocols.toArray(String[]::new));
            engine.setSSLParameters(parameters);
            ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), out);
            return Unpooled.wrappedBuffer(out.flip());
        } catch (NoSuchAlgorithmException | SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same message in records of at most {@code size} bytes. */
    public static ByteBuf inRecordsOf(int size, ByteBuf oneRecord) {
        ByteBuf message = oneRecord.slice(5, oneRecord.readableBytes() - 5);
        ByteBuf out = Unpooled.buffer();
        while (message.isReadable()) {
            int length = Math.min(size, message.readableBytes());
            out.writeMedium(0x160301).writeShort(length).writeBytes(message, length);
        }
        return out;
    }
}
