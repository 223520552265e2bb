package io.parley.wire.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HuffmanTest {
    private static byte[] encode(byte[] text) {
        byte[] code = new byte[Huffman.encodedLength(text, 0, text.length)];
        Huffman.encode(text, 0, text.length, code, 0);
        return code;
    }

    private static byte[] decode(byte[] code) throws HpackException {
        byte[] text = new byte[Huffman.mostDecoded(code.length) + 1];
        return Arrays.copyOf(text, HuffmanDecoder.decode(code, 0, code.length, text));
    }

    @Test
    void everyOctetSurvivesTheRoundTrip() throws HpackException {
        for (int octet = 0; octet < 256; octet++) {
            byte[] text = {(byte) octet};
            assertThat(decode(encode(text))).isEqualTo(text);
        }
    }

    @Test
    void textsOfAllOctetsSurviveTheRoundTrip() throws HpackException {
        Random random = new Random(7541);
        for (int length = 0; length < 600; length++) {
            byte[] text = new byte[length];
            random.nextBytes(text);
            assertThat(decode(encode(text))).isEqualTo(text);
        }
    }

    @Test
    void theShortestCodesFillAllTheRoomThereIs() throws HpackException {
        byte[] text = new byte[80];
        Arrays.fill(text, (byte) 'a');
        byte[] code = encode(text);
        assertThat(code).hasSize(50);
        assertThat(Huffman.mostDecoded(code.length)).isEqualTo(text.length);
        assertThat(decode(code)).isEqualTo(text);
    }

    @Test
    void codesAreThoseOfTheAppendix() {
        assertThat(symbol("00000")).isEqualTo('0');
        assertThat(symbol("00011")).isEqualTo('a');
        assertThat(symbol("010100")).isEqualTo(' ');
        assertThat(symbol("11111000")).isEqualTo('&');
        assertThat(symbol("1111111111111110000")).isEqualTo('\\');
        assertThat(symbol("1111111111000")).isEqualTo(0);
        assertThat(symbol("11111111111111111111101110")).isEqualTo(255);
        assertThat(symbol("111111111111111111111111111110")).isEqualTo(22);
        assertThat(symbol("1".repeat(30))).isEqualTo(Huffman.END);
        assertThat(symbol("1".repeat(29))).isEqualTo(Huffman.NONE);
    }

    private static int symbol(String bits) {
        return Huffman.symbolAt(Long.parseLong(bits, 2) << (Long.SIZE - bits.length()), bits.length());
    }

    @Test
    void fillsUpWithOnes() {
        assertThat(HexFormat.of().formatHex(encode("a".getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo("1f");
    }
}
