package io.parley.control.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** HTTP/2 frame by frame (RFC 9113), for what a client library would not show. */
final class RawHttp2 implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int ENHANCE_YOUR_CALM = 11;
    private static final int END_HEADERS = 4;

    private final SSLSocket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    /**
     * What a frame is, without its content.
     *
     * @param error of GOAWAY, else 0
     */
    record Frame(int type, int flags, int stream, int error) {
        boolean endsStream() {
            return (flags & 1) != 0;
        }
    }

    RawHttp2(int port, Path authority) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusting(authority));
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(30_000);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
        in = new DataInputStream(socket.getInputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        send(SETTINGS, 0, 0, new byte[0]);
    }

    private static KeyStore trusting(Path authority) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream file = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        return store;
    }

    /** Opens a stream and leaves it open. */
    void open(int stream, Map<String, String> headers) throws IOException {
        writeHead(stream, headers);
        flush();
    }

    /** The same, but nothing is sent yet. */
    void writeHead(int stream, Map<String, String> headers) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        headers.forEach((name, value) -> {
            block.write(0); // RFC 7541 6.2.2: a literal without indexing
            string(block, name);
            string(block, value);
        });
        write(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    private static void string(ByteArrayOutputStream block, String text) {
        int length = text.length();
        // RFC 7541 5.1: what does not fit into seven bits follows, seven bits at a time.
        block.write(Math.min(length, 127));
        if (length >= 127) {
            int rest = length - 127;
            for (; rest >= 128; rest >>= 7) {
                block.write((rest & 127) | 128);
            }
            block.write(rest);
        }
        block.writeBytes(text.getBytes(US_ASCII));
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        write(type, flags, stream, payload);
        flush();
    }

    /** Without sending it yet. */
    void write(int type, int flags, int stream, byte[] payload) throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    void flush() throws IOException {
        out.flush();
    }

    Frame read() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(length);
        int error = type == GOAWAY ? ByteBuffer.wrap(payload).getInt(4) : 0;
        return new Frame(type, flags, stream, error);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
