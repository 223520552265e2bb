package io.parley.wire.hpack;

import static io.parley.wire.hpack.Blocks.encode;
import static io.parley.wire.hpack.Blocks.head;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HpackEncoderTest {
    private final HpackEncoder encoder = new HpackEncoder();

    private static String hex(String text) {
        return HexFormat.of().formatHex(new AsciiString(text).array());
    }

    @Test
    void writesWhatTheStaticTableHasAsItsIndex() {
        Fields head = head(":method", "POST", ":scheme", "https", ":path", "/", "accept-encoding", "gzip, deflate");
        assertThat(encode(encoder, head)).isEqualTo("83878490");
        assertThat(encode(encoder, head(":status", "404"))).isEqualTo("8d");
    }

    @Test
    void writesWhatItSentBeforeAsItsIndex() {
        Fields head = head(":authority", "a.b", "x-new", "v");
        assertThat(encode(encoder, head)).isEqualTo("4103" + hex("a.b") + "4005" + hex("x-new") + "01" + hex("v"));
        assertThat(encode(encoder, head)).isEqualTo("bfbe");
        assertThat(encode(encoder, head(":authority", "a.b", "x-new", "v"))).isEqualTo("bfbe");
    }

    @Test
    void takesANameFromTheTableItself() {
        encode(encoder, head("x-new", "v"));
        assertThat(encode(encoder, head("x-new", "w"))).isEqualTo("7e01" + hex("w"));
        assertThat(encode(encoder, head("x-new", "v", "x-new", "w"))).isEqualTo("bfbe");
    }

    @Test
    void letsNobodyKeepASecret() {
        Fields head = new Fields().add(new Field(new AsciiString("x-key"), new AsciiString("k"), true, null));
        String never = "1005" + hex("x-key") + "01" + hex("k");
        assertThat(encode(encoder, head)).isEqualTo(never);
        assertThat(encode(encoder, head)).isEqualTo(never);
        encode(encoder, head("x-key", "k"));
        assertThat(encode(encoder, head)).as("even if it was none before").isEqualTo("1f2f01" + hex("k"));
        Fields method = new Fields().add(new Field(Fields.METHOD, new AsciiString("GET"), true, null));
        assertThat(encode(encoder, method)).isEqualTo("1203" + hex("GET"));
    }

    @Test
    void takesCredentialsAndShortCookiesForSecrets() {
        assertThat(encode(encoder, head("authorization", "x"))).isEqualTo("1f0801" + hex("x"));
        assertThat(encode(encoder, head("proxy-authorization", "x"))).isEqualTo("1f2201" + hex("x"));
        String nineteen = "a=34567890123456789";
        assertThat(encode(encoder, head("cookie", nineteen))).isEqualTo("1f1113" + hex(nineteen));
        assertThat(encode(encoder, head("cookie", nineteen + "0"))).isEqualTo("6014" + hex(nineteen + "0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":path",
                "content-length",
                "set-cookie",
                "location",
                "if-none-match",
                "if-modified-since",
                "age",
                "traceparent",
                "x-request-id"
            })
    void keepsOutOfTheTableWhatHardlyRepeats(String name) {
        String first = encode(encoder, head(name, "17"));
        assertThat(first).startsWith("0").endsWith("02" + hex("17"));
        assertThat(encode(encoder, head(name, "17"))).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"etag", "last-modified", "user-agent", "x-other"})
    void putsEverythingElseIntoTheTable(String name) {
        encode(encoder, head(name, "17"));
        assertThat(encode(encoder, head(name, "17"))).isEqualTo("be");
    }

    @Test
    void keepsOutOfTheTableWhatTakesMoreThanHalfOfIt() {
        encoder.maxTableSize(100);
        encode(encoder, head("a", "b"));
        assertThat(encode(encoder, head("x", "a".repeat(18)))).startsWith("0001");
        assertThat(encode(encoder, head("x", "a".repeat(17)))).startsWith("4001");
    }

    @Test
    void saysThatTheTableShrank() {
        encode(encoder, head("a", "b"));
        encoder.maxTableSize(0);
        String literal = "0001" + hex("a") + "01" + hex("b");
        assertThat(encode(encoder, head("a", "b"))).isEqualTo("20" + literal);
        assertThat(encode(encoder, head("a", "b"))).as("once").isEqualTo(literal);
    }

    @Test
    void saysTheSmallestSizeAndTheLast() {
        encode(encoder, head("a", "b"));
        encoder.maxTableSize(100);
        encoder.maxTableSize(33);
        encoder.maxTableSize(200);
        assertThat(encode(encoder, head("a", "b"))).isEqualTo("3f02" + "3fa901" + "4001" + hex("a") + "01" + hex("b"));
        encoder.maxTableSize(300);
        assertThat(encode(encoder, head("a", "b"))).isEqualTo("3f8d02" + "be");
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 4097, 65536, Integer.MAX_VALUE, -1})
    void usesNoMoreThanItBeganWith(int announced) {
        encoder.maxTableSize(announced);
        assertThat(encode(encoder, head(":method", "GET"))).isEqualTo("82");
    }

    @Test
    void writesLongTextsInHuffmansCodeIfThatIsShorter() {
        assertThat(encode(encoder, head(":path", "a".repeat(511)))).startsWith("047f8003" + hex("aaaa"));
        // 512 times five bits are 320 octets.
        assertThat(encode(encoder, head(":path", "a".repeat(512)))).startsWith("04ffc10118c6");
        assertThat(encode(encoder, head(":path", "<".repeat(512)))).startsWith("047f8103" + hex("<<<<"));
    }

    @Test
    void writesBlocksLargerThanItKeepsRoomFor() throws HpackException {
        Fields head = new Fields();
        for (int i = 0; i < 300; i++) {
            head.add(new AsciiString("x-" + i), new AsciiString("v".repeat(i)));
        }
        var out = Unpooled.buffer();
        encoder.encode(head, out);
        assertThat(Blocks.texts(Blocks.fields(new HpackDecoder(4096), out))).isEqualTo(Blocks.texts(head));
    }

    @Test
    void keepsNoBufferForAFewOctetsOfIt() {
        byte[] buffer = "name: value, and a kilobyte more".getBytes(StandardCharsets.US_ASCII);
        Fields head = new Fields().add(new AsciiString(buffer, 0, 4, false), new AsciiString(buffer, 6, 5, false));
        encode(encoder, head);
        Arrays.fill(buffer, (byte) 'x');
        assertThat(encode(encoder, head("name", "value"))).isEqualTo("be");
    }
}
