package io.parley.wire.hpack;

import static io.parley.wire.hpack.Blocks.decode;
import static io.parley.wire.hpack.Blocks.entries;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The examples of RFC 7541 appendix C, with the table after each of them. */
class HpackExamplesTest {
    private static final String DATE_21 = "date: Mon, 21 Oct 2013 20:13:21 GMT";
    private static final String DATE_22 = "date: Mon, 21 Oct 2013 20:13:22 GMT";
    private static final String LOCATION = "location: https://www.example.com";
    private static final String PRIVATE = "cache-control: private";
    private static final String COOKIE = "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";

    private final HpackDecoder decoder = new HpackDecoder(4096);
    private final HpackDecoder small = new HpackDecoder(256);

    @Test
    void readsALiteralWithIndexing() throws HpackException {
        assertThat(decode(decoder, "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"))
                .containsExactly("custom-key: custom-header");
        assertTable(decoder, 55, "custom-key: custom-header");
    }

    @Test
    void readsALiteralWithoutIndexing() throws HpackException {
        assertThat(decode(decoder, "040c 2f73 616d 706c 652f 7061 7468")).containsExactly(":path: /sample/path");
        assertTable(decoder, 0);
    }

    @Test
    void readsALiteralThatIsNeverIndexed() throws HpackException {
        var fields = Blocks.fields(decoder, Blocks.block("1008 7061 7373 776f 7264 0673 6563 7265 74"));
        assertThat(Blocks.texts(fields)).containsExactly("password: secret");
        assertThat(fields.getFirst().secret()).isTrue();
        assertTable(decoder, 0);
    }

    @Test
    void readsAnIndexedField() throws HpackException {
        assertThat(decode(decoder, "82")).containsExactly(":method: GET");
        assertTable(decoder, 0);
    }

    @Test
    void readsRequestsWithoutHuffman() throws HpackException {
        assertRequests(
                "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
                "8286 84be 5808 6e6f 2d63 6163 6865",
                "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65");
    }

    @Test
    void readsRequestsWithHuffman() throws HpackException {
        assertRequests(
                "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
                "8286 84be 5886 a8eb 1064 9cbf",
                "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
    }

    private void assertRequests(String first, String second, String third) throws HpackException {
        String authority = ":authority: www.example.com";
        assertThat(decode(decoder, first)).containsExactly(":method: GET", ":scheme: http", ":path: /", authority);
        assertTable(decoder, 57, authority);
        String noCache = "cache-control: no-cache";
        assertThat(decode(decoder, second))
                .containsExactly(":method: GET", ":scheme: http", ":path: /", authority, noCache);
        assertTable(decoder, 110, noCache, authority);
        String custom = "custom-key: custom-value";
        assertThat(decode(decoder, third))
                .containsExactly(":method: GET", ":scheme: https", ":path: /index.html", authority, custom);
        assertTable(decoder, 164, custom, noCache, authority);
    }

    @Test
    void readsResponsesWithoutHuffman() throws HpackException {
        assertResponses(
                "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133"
                        + "2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70"
                        + "6c65 2e63 6f6d",
                "4803 3330 37c1 c0bf",
                "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d"
                        + "54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049"
                        + "5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e"
                        + "3d31");
    }

    @Test
    void readsResponsesWithHuffman() throws HpackException {
        assertResponses(
                "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6"
                        + "2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
                "4883 640e ffc1 c0bf",
                "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab"
                        + "77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f"
                        + "9587 3160 65c0 03ed 4ee5 b106 3d50 07");
    }

    private void assertResponses(String first, String second, String third) throws HpackException {
        assertThat(decode(small, first)).containsExactly(":status: 302", PRIVATE, DATE_21, LOCATION);
        assertTable(small, 222, LOCATION, DATE_21, PRIVATE, ":status: 302");
        assertThat(decode(small, second)).containsExactly(":status: 307", PRIVATE, DATE_21, LOCATION);
        assertTable(small, 222, ":status: 307", LOCATION, DATE_21, PRIVATE);
        assertThat(decode(small, third))
                .containsExactly(":status: 200", PRIVATE, DATE_22, LOCATION, "content-encoding: gzip", COOKIE);
        assertTable(small, 215, COOKIE, "content-encoding: gzip", DATE_22);
    }

    private static void assertTable(HpackDecoder decoder, int size, String... entries) {
        assertThat(entries(decoder.table())).containsExactly(entries);
        assertThat(decoder.table().size()).isEqualTo(size);
    }
}
