package io.parley.wire.detect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.wire.detect.ProtocolDetector.Layer;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeaderCodec;
import io.parley.wire.tls.Hellos;
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
