package io.parley.wire.detect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.wire.detect.ProtocolDetector.Layer;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeaderCodec;
import io.parley.wire.tls.Hellos;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolDetectorTest {
    private static final Detection HTTP1 = new Detection.Http1();
    private static final Detection HTTP2 = new Detection.Http2();
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    @Test
    void case23_fourteenBytesOfThePrefaceAreHttp2() {
        for (int cut = 14; cut <= PREFACE.length(); cut++) {
            assertThat(detect(PREFACE.substring(0, cut))).isEqualTo(HTTP2);
        }
        assertThat(detect(PREFACE + "\0\0\0\4\0\0\0\0\0")).isEqualTo(HTTP2);
    }

    @Test
    void case23_fewerAreNotProofAndStayUndecided() {
        for (int cut = 1; cut < 14; cut++) {
            assertThat(detect(PREFACE.substring(0, cut))).isInstanceOf(Detection.NeedMore.class);
        }
    }

    /** The vectors of cases 1 to 6 and 23 to 29, as they come inside mutual TLS: a prefix proves what the whole proves, or nothing yet. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "7472616e73706f72742e6c35642e696f2f76310d0a0d0a 00000003 08ea19",
                "7472616e73706f72742e6c35642e696f2f76310d0a0d0a 00000004 08ffff03",
                "7472616e73706f72742e6c35642e696f2f76310d0a0d0a 00000007 08903f1a020a00",
                "7472616e73706f72742e6c35642e696f2f76310d0a0d0a 00000007 08903f1a021200",
                "7472616e73706f72742e6c35642e696f2f76310d0a0d0a 00000024 08ea19 121f"
                        + "6d7973716c2e64656661756c742e7376632e636c75737465722e6c6f63616c",
                "7472616e73706f72742e6c35642e696f2f76310d0a0d0a 0000001c 08c81f 1213"
                        + "666f6f2e6261722e6578616d706c652e636f6d 1a021200"
                        + "3132333435", // case 6, with the first bytes of the application
                "6c35642e696f2f70726f7879 00000003 08ea19",
                "5052492a20485454502f322e30", // the preface without its first space
                "505249202a20485454502f322e300d0a0d0a534d0d0a0d0a",
                "474554202f20485454502f312e310d0a",
                "504f5354202f666f6f20485454502f312e310d0a",
                "0d0a474554202f20485454502f312e310d0a",
                "474554202f20485454502f322e300d0a",
                "2a310d0a24340d0a50494e470d0a",
                "0000000804d2162f",
                "00000014001200000000000100",
                "45484c4f20612e6578616d706c650d0a"
            })
    void everyPrefixOfAVectorProvesTheSameOrNothingYet(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        for (ProtocolDetector.Layer layer : ProtocolDetector.Layer.values()) {
            Class<?> whole = ProtocolDetector.detect(Unpooled.wrappedBuffer(bytes), layer)
                    .getClass();
            for (int cut = 0; cut < bytes.length; cut++) {
                Detection early = ProtocolDetector.detect(Unpooled.wrappedBuffer(bytes, 0, cut), layer);
                if (early instanceof Detection.NeedMore(int atLeast)) {
                    assertThat(atLeast).as("%s, first %d bytes", layer, cut).isGreaterThan(cut);
                } else {
                    assertThat(early).as("%s, first %d bytes", layer, cut).isInstanceOf(whole);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "GET / HTTP/1.0\n",
                "POST /foo HTTP/1.1\r\nhost: a\r\n\r\n",
                "\r\n\r\nGET /index.html HTTP/1.1\r\n",
                "OPTIONS * HTTP/1.1\r\n",
                "CONNECT example.com:443 HTTP/1.1\r\n",
                "CONNECT [::1]:443 HTTP/1.1\r\n",
                "GET http://example.com/ HTTP/1.1\r\n",
                "M-SEARCH * HTTP/1.1\r\n",
                "VERSION-CONTROL /a HTTP/1.1\r\n"
            })
    void case24_requestsAreHttp1HoweverTheyAreCut(String request) {
        assertThat(detect(request)).isEqualTo(HTTP1);
        for (int cut = 1; cut < request.length(); cut++) {
            Detection early = detect(request.substring(0, cut));
            if (cut < 14) {
                assertThat(early).as("first %d bytes", cut).isInstanceOf(Detection.NeedMore.class);
            } else {
                assertThat(early)
                        .as("first %d bytes", cut)
                        .matches(d -> d.equals(HTTP1) || (d instanceof Detection.NeedMore(int n) && n > 14));
            }
        }
    }

    @Test
    void case24_fourteenBytesOfARequestAreProof() {
        assertThat(detect("GET / HTTP/1.1")).isEqualTo(HTTP1);
        assertThat(detect("GET / HTTP/1.")).isEqualTo(new Detection.NeedMore(14));
        for (int cut = 14; cut <= "POST /foo HTTP/1.".length(); cut++) {
            assertThat(detect("POST /foo HTTP/1.".substring(0, cut))).isEqualTo(HTTP1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/2.0\r\n", // case 25
                "*1\r\n$4\r\nPING\r\n", // case 26, Redis
                "\0\0\0\b\4\u00d2\u0016/", // case 27, PostgreSQL asking for TLS
                "\0\0\0#\0\u0012\0\4", // case 28, Kafka
                "EHLO a.example\r\n", // case 29
                "ruok",
                "PING\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n",
                "USER anonymous\r\n",
                "MAIL FROM:<a@b",
                "AMQP\0\0\t\1",
                "NICK joe\r\n",
                "CONNECT {\"verbose\":false}\r\n",
                "GET /foo\r\n",
                "GET / HTTP/1.x\r\n",
                "GET / HTTP/1.11\r\n",
                "GET / RTSP/1.0\r\n",
                "OPTIONS rtsp://a/b RTSP/1.0\r\n",
                "INVITE sip:bob@example.com SIP/2.0\r\n",
                "GET  / HTTP/1.1\r\n",
                "get / HTTP/1.1\r\n",
                "PRI * HTTP/2.0\r\nHost: a\r\n",
                "PRI * HTTP/1.1\r\n", // reserved: RFC 9113 section 11.6
                "l5d.io/proxy",
                "\u0015\3\3",
                "\rGET / HTTP/1.1",
                "<stream:stream>"
            })
    void case25_case26_case27_case28_case29_otherProtocolsAreOpaqueAtOnce(String bytes) {
        assertThat(detect(bytes)).isInstanceOf(Detection.Opaque.class);
    }

    @Test
    void case30_lettersWithoutASpaceAreNoProofOfHttp() {
        assertThat(detect("abcdefghijklmn")).isInstanceOf(Detection.Opaque.class);
        assertThat(detect("ABCDEFGHIJKLMN")).isInstanceOf(Detection.NeedMore.class);
        assertThat(detect("A".repeat(25))).isInstanceOf(Detection.Opaque.class);
    }

    /** As far as they have come: HTTP is decided before its first line has ended, and what the line turns out to be is for who reads it then. */
    @Test
    void whatLooksLikeHttpMayTurnOutToBeNone() {
        assertThat(detect("GET /aaaaaaaaa")).isEqualTo(HTTP1);
        assertThat(detect("GET /aaaaaaaaa\r\n")).isInstanceOf(Detection.Opaque.class);
        assertThat(detect("PRI * HTTP/2.0")).isEqualTo(HTTP2);
        assertThat(detect("PRI * HTTP/2.0\r\nHost: a")).isInstanceOf(Detection.Opaque.class);
    }

    @Test
    void nothingReadableIsUndecided() {
        assertThat(detect("")).isEqualTo(new Detection.NeedMore(1));
    }

    @Test
    void seesTls() {
        assertThat(ProtocolDetector.detect(Hellos.real("a.example", List.of("h2")), Layer.CLEAR))
                .isInstanceOf(Detection.Tls.class);
    }

    @Test
    void aHeaderCountsOnlyInsideMutualTls() {
        ConnectionHeader header = ConnectionHeader.toPort(3306, null);
        ByteBuf in = Unpooled.buffer();
        ConnectionHeaderCodec.write(header, in);
        assertThat(ProtocolDetector.detect(in, Layer.CLEAR)).isInstanceOf(Detection.Opaque.class);
        assertThat(ProtocolDetector.detect(in, Layer.INSIDE_MUTUAL_TLS)).isEqualTo(new Detection.Header(header, 30));
        in.setInt(23, 65537);
        assertThat(ProtocolDetector.detect(in, Layer.INSIDE_MUTUAL_TLS)).isInstanceOf(Detection.BadHeader.class);
    }

    @Test
    void insideMutualTlsTheOtherProtocolsAreStillSeen() {
        assertThat(ProtocolDetector.detect(bytes("GET / HTTP/1.1\r\n"), Layer.INSIDE_MUTUAL_TLS))
                .isEqualTo(HTTP1);
        assertThat(ProtocolDetector.detect(bytes("l5d"), Layer.INSIDE_MUTUAL_TLS))
                .isInstanceOf(Detection.NeedMore.class);
        assertThat(ProtocolDetector.detect(bytes("l5e"), Layer.INSIDE_MUTUAL_TLS))
                .isInstanceOf(Detection.Opaque.class);
    }

    private static Detection detect(String text) {
        ByteBuf in = bytes(text);
        Detection detection = ProtocolDetector.detect(in, Layer.CLEAR);
        assertThat(in.readerIndex()).isZero();
        return detection;
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }
}
