package io.parley.control.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.identity.certificate.Pem;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kuma's zones ping every 15 s, also while they have no stream. Frames by hand, as fast as they are answered. */
class PingsTest {
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int ACK = 1;
    private static final int MANY = 200;

    @Test
    void case15_pingsWithoutACallAreAnsweredHoweverMany(@TempDir Path folder) throws Exception {
        try (Federated planes = new Federated(folder)) {
            ControlPlane global = planes.global();
            try (SSLSocket socket = connect(global)) {
                OutputStream out = socket.getOutputStream();
                DataInputStream in = new DataInputStream(socket.getInputStream());
                out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.write(frame(SETTINGS, 0, new byte[0]));
                for (long number = 1; number <= MANY; number++) {
                    out.write(frame(
                            PING, 0, ByteBuffer.allocate(8).putLong(number).array()));
                    assertThat(answer(in, out)).isEqualTo(number);
                }
            }
        }
    }

    /** The number in the next answer to a ping. Any other frame than those that open a connection is an objection. */
    private static long answer(DataInputStream in, OutputStream out) throws IOException {
        while (true) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == PING && flags == ACK) {
                return ByteBuffer.wrap(payload).getLong();
            }
            assertThat(type).as("frame of type").isIn(SETTINGS, PING, 8);
            if (type == SETTINGS && flags != ACK) {
                out.write(frame(SETTINGS, ACK, new byte[0]));
            }
            if (type == PING) {
                out.write(frame(PING, ACK, payload));
            }
        }
    }

    private static byte[] frame(int type, int flags, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(0)
                .put(payload)
                .array();
    }

    private static SSLSocket connect(ControlPlane global) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        X509Certificate authority =
                Pem.certificates(Files.readString(global.caFile())).getFirst();
        trusted.setCertificateEntry("ca", authority);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", global.machinePort());
        socket.setSoTimeout(30_000);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
