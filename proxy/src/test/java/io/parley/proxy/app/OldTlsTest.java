package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.tls.PeerIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Versions and suites that are too old. The JDK offers them no more, so their ClientHello (RFC 5246, 7.4.1.2) is written here. */
class OldTlsTest {
    private static final int TLS_1_1 = 0x0302;
    private static final int TLS_1_2 = 0x0303;

    /** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, and the same with CBC and SHA-1. */
    private static final int GOOD_SUITE = 0xc02b;

    private static final int OLD_SUITE = 0xc009;
    private static final char HANDSHAKE = 22;

    /** Fatal alerts (RFC 5246 7.2). */
    private static final String PROTOCOL_VERSION = "\2F";

    private static final String HANDSHAKE_FAILURE = "\2(";

    private final TestMesh mesh = new TestMesh();
    private Client client;

    @BeforeEach
    void connect() throws IOException {
        client = Client.to(mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))))
                .address("inbound"));
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        mesh.close();
    }

    @Test
    void ofTheOldTls12IsStillSpoken() throws IOException {
        client.send(hello(TLS_1_2, GOOD_SUITE));
        assertThat(client.read(1)).isEqualTo(String.valueOf(HANDSHAKE));
    }

    @Test
    void tls11IsRefusedHoweverItIsAskedFor() throws IOException {
        client.send(hello(TLS_1_2, GOOD_SUITE, TLS_1_1));
        assertThat(client.readAll()).endsWith(PROTOCOL_VERSION);
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("tls-handshake");
    }

    @Test
    void soItIsWithoutAnExtensionForIt() throws IOException {
        client.send(hello(TLS_1_1, OLD_SUITE));
        assertThat(mesh.ending(Direction.INBOUND).cause()).isIn("tls-handshake", "not-mutual-tls");
    }

    @Test
    void aSuiteWithoutAuthenticatedEncryptionIsRefused() throws IOException {
        client.send(hello(TLS_1_2, OLD_SUITE));
        assertThat(client.readAll()).endsWith(HANDSHAKE_FAILURE);
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("tls-handshake");
    }

    private static byte[] hello(int version, int suite, int... supported) {
        ByteBuf body = Unpooled.buffer().writeShort(version).writeZero(32).writeByte(0);
        body.writeShort(2).writeShort(suite).writeByte(1).writeByte(0);
        byte[] extensions = extensions(supported);
        body.writeShort(extensions.length).writeBytes(extensions);
        ByteBuf record = Unpooled.buffer().writeByte(HANDSHAKE).writeShort(0x0301);
        record.writeShort(body.readableBytes() + 4).writeByte(1).writeMedium(body.readableBytes());
        return ByteBufUtil.getBytes(record.writeBytes(body));
    }

    private static byte[] extensions(int... supported) {
        byte[] name = PeerIdentity.serverName(SERVER).getBytes(US_ASCII);
        ByteBuf all = Unpooled.buffer();
        all.writeShort(0)
                .writeShort(name.length + 5)
                .writeShort(name.length + 3)
                .writeByte(0);
        all.writeShort(name.length).writeBytes(name);
        // One group, P-256; one algorithm, ECDSA with it.
        all.writeShort(10).writeShort(4).writeShort(2).writeShort(23);
        all.writeShort(13).writeShort(4).writeShort(2).writeShort(0x0403);
        if (supported.length > 0) {
            all.writeShort(43).writeShort(2 * supported.length + 1).writeByte(2 * supported.length);
            for (int version : supported) {
                all.writeShort(version);
            }
        }
        return ByteBufUtil.getBytes(all);
    }
}
