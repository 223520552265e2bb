package io.parley.wire.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyProtocolTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    @Test
    void readsVersion1() {
        String line = "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n";
        assertThat(text(line + "GET")).isEqualTo(found("192.0.2.1", 56324, "192.0.2.2", 443, line.length()));
        line = "PROXY TCP6 2001:db8::1 2001:db8::2 1 65535\r\n";
        assertThat(text(line)).isEqualTo(found("2001:db8::1", 1, "2001:db8::2", 65535, line.length()));
    }

    @Test
    void readsVersion1OfASenderThatDoesNotKnow() {
        assertThat(text("PROXY UNKNOWN\r\n")).isEqualTo(new ProxyRead.Found(null, 15));
        assertThat(text("PROXY UNKNOWN ffff:: ffff:: 1 2\r\n")).isEqualTo(new ProxyRead.Found(null, 33));
    }

    @Test
    void readsVersion2() {
        assertThat(hex(SIGNATURE + "2111000c" + "c0000201c0000202" + "dc0401bb" + "474554"))
                .isEqualTo(found("192.0.2.1", 56324, "192.0.2.2", 443, 28));
        assertThat(hex(SIGNATURE + "21210024" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002"
                        + "dc0401bb"))
                .isEqualTo(found("2001:db8::1", 56324, "2001:db8::2", 443, 52));
    }

    @Test
    void skipsExtensionsOfVersion2() {
        assertThat(hex(SIGNATURE + "21110011" + "c0000201c0000202" + "dc0401bb" + "0400020000"))
                .isEqualTo(found("192.0.2.1", 56324, "192.0.2.2", 443, 33));
    }

    /** The specification: who knows the checksum must drop what does not have it. */
    @Test
    void refusesVersion2WithAnotherChecksum() {
        String header = SIGNATURE + "21110017" + "c0000201c0000202" + "dc0401bb" + "04000100" + "030004";
        assertThat(hex(header + "cbd670d9" + "474554")).isEqualTo(found("192.0.2.1", 56324, "192.0.2.2", 443, 39));
        assertThat(hex(header + "00000000")).isEqualTo(new ProxyRead.Malformed("its checksum is another"));
        assertThat(hex(header.replace("c0000201", "c0000209") + "cbd670d9"))
                .isEqualTo(new ProxyRead.Malformed("its checksum is another"));
        assertThat(hex(SIGNATURE + "21110010" + "c0000201c0000202" + "dc0401bb" + "03000100"))
                .isEqualTo(new ProxyRead.Malformed("its checksum is another"));
    }

    @Test
    void aLocalOrUnspecifiedConnectionKeepsItsOwnAddresses() {
        assertThat(hex(SIGNATURE + "20000000")).isEqualTo(new ProxyRead.Found(null, 16));
        assertThat(hex(SIGNATURE + "21000002" + "ffff")).isEqualTo(new ProxyRead.Found(null, 18));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n",
                "PROXY UNKNOWN\r\n",
                "\r\n\r\n\0\r\nQUIT\n!\u0011\0\f\u00c0\0\2\1\u00c0\0\2\2\1\2\3\4"
            })
    void everyPrefixIsUndecided(String header) {
        for (int cut = 0; cut < header.length(); cut++) {
            ProxyRead read = text(header.substring(0, cut));
            assertThat(read).as("first %d bytes", cut).isInstanceOf(ProxyRead.NeedMore.class);
            assertThat(((ProxyRead.NeedMore) read).atLeast()).isGreaterThan(cut).isLessThanOrEqualTo(header.length());
        }
        assertThat(text(header)).isInstanceOf(ProxyRead.Found.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY \r\n",
                "PROXY TCP5 1.1.1.1 1.1.1.1 1 1\r\n",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1\r\n",
                "PROXY TCP4 1.1.1 1.1.1.1 1 1\r\n",
                "PROXY TCP4 ::1 ::1 1 1\r\n",
                "PROXY TCP6 1.1.1.1 1.1.1.1 1 1\r\n",
                "PROXY TCP6 fe80::1%eth0 ::1 1 1\r\n",
                "PROXY TCP4 1.1.1.1 1.1.1.1 65536 1\r\n",
                "PROXY TCP4 1.1.1.1 1.1.1.1 01 1\r\n",
                "PROXY TCP4 1.1.1.1 1.1.1.1 +1 1\r\n",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1 1\n"
            })
    void refusesVersion1ThatIsWrong(String line) {
        assertThat(text(line)).isInstanceOf(ProxyRead.Malformed.class);
    }

    @Test
    void refusesVersion1WithoutAnEnd() {
        assertThat(text("PROXY " + "x".repeat(101))).isInstanceOf(ProxyRead.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "11",
                "22",
                "2111ffff",
                "2111000b" + "c0000201c0000202dc0401",
                "2111000e" + "c0000201c0000202dc0401bb0400",
                "21110010" + "c0000201c0000202dc0401bb04000200"
            })
    void refusesVersion2ThatIsWrong(String rest) {
        assertThat(hex(SIGNATURE + rest)).isInstanceOf(ProxyRead.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "PROXI", "\r\n\r\r"})
    void seesThatThereIsNone(String bytes) {
        assertThat(text(bytes)).isEqualTo(new ProxyRead.Absent());
    }

    private static ProxyRead found(String source, int sourcePort, String destination, int destinationPort, int length) {
        return new ProxyRead.Found(
                new ProxiedAddresses(
                        new InetSocketAddress(source, sourcePort), new InetSocketAddress(destination, destinationPort)),
                length);
    }

    private static ProxyRead text(String text) {
        return read(Unpooled.copiedBuffer(text, ISO_8859_1));
    }

    private static ProxyRead hex(String hex) {
        return read(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }

    private static ProxyRead read(ByteBuf in) {
        ProxyRead read = ProxyProtocol.read(in);
        assertThat(in.readerIndex()).isZero();
        return read;
    }
}
