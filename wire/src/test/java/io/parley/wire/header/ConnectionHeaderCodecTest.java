package io.parley.wire.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.parley.wire.header.ConnectionHeader.Stage;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionHeaderCodecTest {
    private static final String H = "7472616e73706f72742e6c35642e696f2f76310d0a0d0a";
    private static final String DOCUMENT = "6c35642e696f2f70726f7879";

    @Test
    void case1_writesAPort() {
        assertThat(hex(ConnectionHeader.toPort(3306, null))).isEqualTo(H + "0000000308ea19");
    }

    @Test
    void case2_writesTheHighestPort() {
        assertThat(hex(ConnectionHeader.toPort(65535, null))).isEqualTo(H + "0000000408ffff03");
    }

    @Test
    void case3_writesHttp1() {
        assertThat(hex(ConnectionHeader.toPort(8080, SessionProtocol.HTTP1))).isEqualTo(H + "0000000708903f1a020a00");
    }

    @Test
    void case4_writesHttp2() {
        assertThat(hex(ConnectionHeader.toPort(8080, SessionProtocol.HTTP2))).isEqualTo(H + "0000000708903f1a021200");
    }

    @Test
    void case5_writesAName() {
        String name = "mysql.default.svc.cluster.local";
        String text = hex(ConnectionHeader.toName(name, 3306, null));
        assertThat(text)
                .isEqualTo(H + "0000002408ea19121f" + ByteBufUtil.hexDump(name.getBytes(StandardCharsets.US_ASCII)));
        assertThat(text).hasSize(2 * 63);
    }

    @Test
    void case6_roundTripsAndLeavesWhatFollows() {
        ConnectionHeader header = ConnectionHeader.toName("foo.bar.example.com", 4040, SessionProtocol.HTTP2);
        ByteBuf in = Unpooled.buffer();
        ConnectionHeaderCodec.write(header, in);
        assertThat(in.readableBytes()).isEqualTo(55);
        assertThat(in.getInt(23)).isEqualTo(0x1c);
        in.writeCharSequence("12345", StandardCharsets.US_ASCII);

        assertThat(ConnectionHeaderCodec.read(in)).isEqualTo(new HeaderRead.Found(header, 55));
        assertThat(in.toString(55, 5, StandardCharsets.US_ASCII)).isEqualTo("12345");
    }

    @ParameterizedTest
    @EnumSource
    void case7_asksForMoreAtEveryPrefixAndForNoMoreThanThereIs(HeaderMagic magic) {
        ConnectionHeader header =
                new ConnectionHeader(magic, 4040, "foo.bar.example.com", SessionProtocol.HTTP1, Stage.UNDECIDED);
        ByteBuf whole = Unpooled.buffer();
        ConnectionHeaderCodec.write(header, whole);
        int length = whole.readableBytes();
        for (int cut = 0; cut < length; cut++) {
            HeaderRead read = ConnectionHeaderCodec.read(whole.slice(0, cut));
            assertThat(read).isInstanceOf(HeaderRead.NeedMore.class);
            assertThat(((HeaderRead.NeedMore) read).atLeast())
                    .isGreaterThan(cut)
                    .isLessThanOrEqualTo(length);
        }
        assertThat(ConnectionHeaderCodec.read(whole)).isEqualTo(new HeaderRead.Found(header, length));
    }

    @Test
    void readsTheDocumentsForm() {
        assertThat(read(DOCUMENT + "00000003" + "08ea19"))
                .isEqualTo(new HeaderRead.Found(
                        new ConnectionHeader(HeaderMagic.DOCUMENT, 3306, null, null, Stage.SETTLED), 19));
    }

    @Test
    void anEmptyMessageInTheDocumentsFormAsksForAGateway() {
        assertThat(read(DOCUMENT + "00000000"))
                .isEqualTo(new HeaderRead.Found(
                        new ConnectionHeader(HeaderMagic.DOCUMENT, 0, null, null, Stage.SETTLED), 16));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n", "l5d.io/proxz", "transport.l5d.io/v2", "l5d.io/pr0xy", "\u0016"})
    void case9_seesThatThereIsNone(String text) {
        ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        assertThat(ConnectionHeaderCodec.read(in)).isEqualTo(new HeaderRead.Absent());
    }

    @Test
    void case10_refusesALengthOverTheLimitBeforeTheBodyComes() {
        assertThat(read(H + "00010001")).isInstanceOf(HeaderRead.Malformed.class);
        assertThat(read(H + "ffffffff")).isInstanceOf(HeaderRead.Malformed.class);
        assertThat(read(H + "00010000")).isEqualTo(new HeaderRead.NeedMore(27 + 65536));
    }

    @Test
    void case11_waitsForABodyThatIsCutOff() {
        assertThat(read(H + "0000000a" + "08ea191203")).isEqualTo(new HeaderRead.NeedMore(37));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000", "000000020800", "0000000b08ffffffffffffffffff01", "0000000408808004"})
    void case12_refusesAPortThatIsAbsentZeroNegativeOrTooHigh(String message) {
        assertThat(read(H + message)).isInstanceOf(HeaderRead.Malformed.class);
    }

    @Test
    void case13_refusesANameThatIsNone() {
        assertThat(read(H + "0000000d" + "08ea19" + "1208" + "666f6f2e2e626172"))
                .isEqualTo(new HeaderRead.Malformed("name: foo..bar (expected: a DNS name)"));
    }

    @Test
    void case14_ignoresUnknownFieldsAndTheirOrderAndTakesTheLastPort() {
        String unknown = "7801" + "7a0161" + "79" + "0000000000000000" + "7d" + "00000000";
        String message = unknown + "1a021200" + "0850" + "08903f";
        assertThat(read(H + "000000" + hexLength(message) + message))
                .isEqualTo(new HeaderRead.Found(
                        ConnectionHeader.toPort(8080, SessionProtocol.HTTP2), 27 + message.length() / 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a00", "1a021a00", "1a02" + "2801"})
    void case15_aProtocolThatIsEmptyOrUnknownIsOpaque(String protocol) {
        String message = "08903f" + protocol;
        assertThat(read(H + "000000" + hexLength(message) + message))
                .isEqualTo(new HeaderRead.Found(ConnectionHeader.toPort(8080, null), 27 + message.length() / 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0a0150", "1001", "1801", "0b", "00", "08ffffffffffffffffffff01", "1205616263", "08"})
    void refusesFieldsOfTheWrongTypeAndFieldsThatAreCutOff(String message) {
        assertThat(read(H + "000000" + hexLength(message) + message)).isInstanceOf(HeaderRead.Malformed.class);
    }

    @Test
    void refusesToBuildWhatCouldNotBeRead() {
        assertThatThrownBy(() -> ConnectionHeader.toPort(0, null)).hasMessageContaining("port: 0");
        assertThatThrownBy(() -> ConnectionHeader.toName("a b", 80, null)).hasMessageContaining("name: a b");
    }

    private static String hexLength(String message) {
        return String.format("%02x", message.length() / 2);
    }

    private static HeaderRead read(String hex) {
        return ConnectionHeaderCodec.read(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }

    private static String hex(ConnectionHeader header) {
        ByteBuf out = Unpooled.buffer();
        ConnectionHeaderCodec.write(header, out);
        return ByteBufUtil.hexDump(out);
    }
}
