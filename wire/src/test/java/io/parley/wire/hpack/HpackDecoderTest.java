package io.parley.wire.hpack;

import static io.parley.wire.hpack.Blocks.block;
import static io.parley.wire.hpack.Blocks.decode;
import static io.parley.wire.hpack.Blocks.entries;
import static io.parley.wire.hpack.Blocks.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HpackDecoderTest {
    /** An entry "a: b", which counts 34 octets. */
    private static final String A_B = "40 01 61 01 62 ";

    private final HpackDecoder decoder = new HpackDecoder(4096);

    private void assertRefused(String hex, String message) {
        assertThatExceptionOfType(HpackException.class)
                .isThrownBy(() -> decode(decoder, hex))
                .withMessageContaining(message);
    }

    @Test
    void refusesIndexZero() {
        assertRefused("80", "index 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"be", "ff 00", "7e 01 61", "0f 2f 01 61", "1f 2f 01 61", "ff 80 ff ff ff 07"})
    void refusesAnIndexBeyondTheTables(String hex) {
        assertRefused(hex, "where the tables have 1 to 61");
    }

    @Test
    void refusesAnIndexBeyondTheTablesWhenThereAreEntries() {
        assertRefused(A_B + "be bf", "index 63, where the tables have 1 to 62");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ff 81 ff ff ff 07",
                "ff ff ff ff ff 0f",
                "ff ff ff ff ff ff 00",
                "ff 80 80 80 80 80 00",
                "00 7f 81 ff ff ff 07",
                "3f e1 ff ff ff 07"
            })
    void refusesANumberOfMoreThan31Bits(String hex) {
        assertRefused(hex, "a number beyond 2147483647");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ff", "ff 80", "40", "40 01 61", "41", "00", "04", "0f", "10", "40 7f", "40 7f ff", "3f", "3f 80"
            })
    void refusesABlockThatEndsWithinAField(String hex) {
        assertRefused(hex, "the block ends within a field");
    }

    @ParameterizedTest
    @CsvSource({"40 02 61, 2, 1", "44 05 61 62, 5, 2", "40 01 61 7f 01 61, 128, 1", "44 83 ff, 3, 1"})
    void refusesAStringLongerThanTheRest(String hex, int length, int rest) {
        assertRefused(hex, "a string of " + length + " octets where the block has " + rest + " more");
    }

    @Test
    void refusesTheCodeOfTheEnd() {
        assertRefused("44 84 ff ff ff ff", "the code of the end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"44 81 18", "44 81 1e", "44 82 1f ff", "44 81 00", "44 81 ff", "44 83 ff ff ff"})
    void refusesFillingOtherThanAtMostSevenOnes(String hex) {
        assertRefused(hex, "at most 7 ones");
    }

    @Test
    void takesSevenOnesAsFilling() throws HpackException {
        // "a" has five bits.
        assertThat(decode(decoder, "44 84 18 c6 31 ff")).containsExactly(":path: aaaaa");
    }

    @Test
    void refusesATableLargerThanAnnounced() {
        assertRefused("3f e2 1f", "a table of 4097 octets, where at most 4096 are allowed");
    }

    @Test
    void refusesASizeUpdateAfterTheFirstField() {
        assertRefused("82 20", "after the first field");
    }

    @Test
    void takesSizeUpdatesBeforeTheFirstFieldAndAlone() throws HpackException {
        decode(decoder, A_B);
        assertThat(decode(decoder, "20 3f e1 1f 82")).containsExactly(":method: GET");
        assertThat(entries(decoder.table())).isEmpty();
        assertThat(decode(decoder, "3f 81 0f")).isEmpty();
        assertThat(decoder.table().limit()).isEqualTo(1952);
    }

    @Test
    void usesNoMoreThanTheInitialSizeUntilThePeerSaysSo() throws HpackException {
        HpackDecoder large = new HpackDecoder(8192);
        assertThat(large.table().limit()).isEqualTo(4096);
        assertThat(decode(large, "3f e1 3f")).isEmpty();
        assertThat(large.table().limit()).isEqualTo(8192);
    }

    @Test
    void evictsTheOldestWhenTheTableShrinks() throws HpackException {
        decode(decoder, A_B + "40 01 63 01 64 40 01 65 01 66");
        // 68 octets are two entries.
        decode(decoder, "3f 25");
        assertThat(entries(decoder.table())).containsExactly("e: f", "c: d");
        assertThat(decoder.table().size()).isEqualTo(68);
        decode(decoder, "3f 24");
        assertThat(entries(decoder.table())).containsExactly("e: f");
    }

    @Test
    void aHugeEntryEmptiesTheTableAndIsNoError() throws HpackException {
        HpackDecoder small = new HpackDecoder(40);
        decode(small, A_B);
        assertThat(decode(small, "40 04 61 61 61 61 05 62 62 62 62 62")).containsExactly("aaaa: bbbbb");
        assertThat(entries(small.table())).isEmpty();
        assertThat(small.table().size()).isZero();
    }

    @Test
    void aNameMayComeFromTheEntryThatItsFieldEvicts() throws HpackException {
        HpackDecoder small = new HpackDecoder(40);
        decode(small, A_B);
        assertThat(decode(small, "7e 02 63 63")).containsExactly("a: cc");
        assertThat(entries(small.table())).containsExactly("a: cc");
    }

    @Test
    void keepsMoreEntriesThanItBeganWithRoomFor() throws HpackException {
        for (int i = 0; i < 200; i++) {
            decode(decoder, String.format("40 01 61 02 %04x", 0x3030 + i));
        }
        assertThat(decoder.table().length()).isEqualTo(4096 / 35);
        assertThat(decoder.table().at(0).value().byteAt(1)).isEqualTo((byte) (0x30 + 199));
        assertThat(decoder.table().at(116).value().byteAt(1)).isEqualTo((byte) (0x30 + 199 - 116));
    }

    @Test
    void handsOutTheSameObjectAgain() throws HpackException {
        List<Field> fields = fields(decoder, block(A_B + "be 82 be 82 7e 01 63"));
        assertThat(fields.get(1)).isSameAs(fields.get(0));
        assertThat(fields.get(3)).isSameAs(fields.get(0));
        assertThat(fields.get(4)).isSameAs(fields.get(2));
        assertThat((CharSequence) fields.get(5).name()).isSameAs(fields.get(0).name());
    }

    @Test
    void givesALiteralNameOfTheStaticTableThatTablesObject() throws HpackException {
        Field path = fields(decoder, block("00 05 3a 70 61 74 68 01 2f")).getFirst();
        assertThat((CharSequence) path.name()).isSameAs(Fields.PATH);
    }

    @Test
    void findsFaultsOfNamesThatComeFromTheTable() throws HpackException {
        List<Field> fields = fields(decoder, block("40 01 5f 01 00 7e 01 61 7e 01 0a 40 01 41 01 62 7e 01 0a"));
        assertThat(fields)
                .extracting(Field::fault)
                .containsExactly(
                        Field.Fault.VALUE,
                        Field.Fault.UNDERSCORE,
                        Field.Fault.VALUE,
                        Field.Fault.NAME,
                        Field.Fault.NAME);
    }

    @Test
    void everyPrefixOfABlockIsRefusedOrGivesFewerFields() {
        String hex = "3f e1 1f 82 87 44 89 62 51 f7 31 0f 52 e6 21 ff 40 88 25 a8 49 e9 5b a9 7d 7f 03 61 62 63"
                + "1f 08 04 61 62 63 64 be 7e 00";
        ByteBuf whole = block(hex);
        int expected = new Counted(whole).fields;
        assertThat(expected).isEqualTo(7);
        for (int length = 0; length < whole.readableBytes(); length++) {
            Counted prefix = new Counted(whole.slice(0, length));
            assertThat(prefix.fields).isLessThan(expected);
        }
    }

    @Test
    void readsAllOfTheBufferAndNothingElse() throws HpackException {
        ByteBuf direct = Unpooled.directBuffer().writeBytes(new byte[] {0, (byte) 0x82, (byte) 0x87, 0});
        direct.readerIndex(1).writerIndex(3);
        try {
            assertThat(Blocks.texts(fields(decoder, direct))).containsExactly(":method: GET", ":scheme: https");
            assertThat(direct.isReadable()).isFalse();
        } finally {
            direct.release();
        }
    }

    /** How many fields came before the block ended, well or not. */
    private static final class Counted {
        private int fields;

        Counted(ByteBuf block) {
            try {
                new HpackDecoder(4096).decode(block.duplicate(), _ -> fields++);
            } catch (HpackException expected) {
                assertThat(expected).hasMessageContaining(" ");
            }
        }
    }
}
