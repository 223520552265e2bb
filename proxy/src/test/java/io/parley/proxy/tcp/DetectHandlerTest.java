package io.parley.proxy.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.app.Hello;
import io.parley.wire.detect.Detection;
import io.parley.wire.detect.ProtocolDetector.Layer;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeaderCodec;
import io.parley.wire.header.HeaderMagic;
import io.parley.wire.header.SessionProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long first bytes are waited for, by a clock that the test moves. */
class DetectHandlerTest {
    private static final Duration GRACE = Duration.ofMillis(50);
    private static final Duration TOTAL = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(1);

    /** Writes down what it is told. */
    private static final class Notes extends ArrayList<String> implements DetectHandler.Verdict {
        @Override
        public void silent() {
            add("silent");
        }

        @Override
        public void detected(Detection detection) {
            add(detection.getClass().getSimpleName());
        }

        @Override
        public void timedOut(int bytes) {
            add("timed out after " + bytes);
        }

        @Override
        public void gone(int bytes) {
            add("gone after " + bytes);
        }
    }

    private final Notes notes = new Notes();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ByteBuf hello = Hello.forName("a.example");

    private void look(DetectHandler.Patience patience) {
        channel.freezeTime();
        channel.pipeline().addLast(new DetectHandler(Layer.CLEAR, patience, notes));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aPauseInBytesThatProveNothingEndsTheWait() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        send("GET ");
        pass(PAUSE.minus(MOMENT));
        assertThat(notes).isEmpty();
        send("/");
        pass(PAUSE.minus(MOMENT));
        assertThat(notes).isEmpty();
        pass(MOMENT);
        assertThat(notes).containsExactly("timed out after 5");
    }

    @Test
    void bytesThatTrickleAreWaitedForNoLongerThanInAll() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        for (char one : "GET /aaaaaaaa".toCharArray()) {
            send(String.valueOf(one));
            pass(PAUSE.minusMillis(100));
        }
        assertThat(notes).containsExactly("timed out after 12");
    }

    @Test
    void aByteThatFitsNothingDecidesAtOnceHoweverFewTheyAre() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        send("Q");
        assertThat(notes).isEmpty();
        send("UIT\r\n");
        assertThat(notes).containsExactly("Opaque");
    }

    /** It may be many segments long, and one of them may be lost on the way and sent again. */
    @Test
    void aClientHelloMayPause() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        channel.writeInbound(hello.readRetainedSlice(100));
        pass(TOTAL.minus(MOMENT));
        assertThat(notes).isEmpty();
        channel.writeInbound(hello);
        assertThat(notes).containsExactly("Tls");
    }

    @Test
    void aClientHelloMustComeInTenSeconds() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        channel.writeInbound(hello.readRetainedSlice(100));
        pass(TOTAL);
        assertThat(notes).containsExactly("timed out after 100");
    }

    /** Too little to tell it from other protocols that happen to begin so. */
    @Test
    void fiveBytesOfARecordAreNoClientHelloYet() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        channel.writeInbound(hello.readRetainedSlice(5));
        pass(PAUSE);
        assertThat(notes).containsExactly("timed out after 5");
    }

    /** Or a stranger's packets of a byte each would cost a copy of all that has come, each. */
    @Test
    void aClientHelloThatTricklesIsNotReadAnewForEachByte() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        int length = hello.readableBytes();
        Counting held = new Counting(length);
        channel.writeInbound(held.writeBytes(hello, 1));
        while (hello.isReadable()) {
            assertThat(notes).isEmpty();
            channel.writeInbound(hello.readRetainedSlice(1));
        }
        assertThat(notes).containsExactly("Tls");
        assertThat(held.copied).isBetween(length / 2, 2 * length);
    }

    /** In which the bytes are held, as there is room for all of them. */
    private static final class Counting extends UnpooledHeapByteBuf {
        private int copied;

        Counting(int length) {
            super(UnpooledByteBufAllocator.DEFAULT, length, length);
        }

        /** So that it is asked for its bytes. */
        @Override
        public boolean hasArray() {
            return false;
        }

        @Override
        public ByteBuf getBytes(int index, byte[] to, int at, int length) {
            copied += length;
            return super.getBytes(index, to, at, length);
        }
    }

    /** A message longer than any, and a second record that is no handshake: each is opaque at the byte that says so. */
    @ParameterizedTest
    @ValueSource(strings = {"\26\3\1\40\0\1\1\0\0", "\26\3\1\0\4\1\0\1\0\27\3\3\0\1"})
    void whatOnlyBeginsLikeAClientHelloIsFoundOutAtOnce(String bytes) {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        for (int at = 0; at < bytes.length(); at++) {
            assertThat(notes).isEmpty();
            send(bytes.substring(at, at + 1));
        }
        assertThat(notes).containsExactly("Opaque");
    }

    @Test
    void aSilentClientIsToldOfAfterTheGraceAndOnce() {
        look(new DetectHandler.Patience(GRACE, TOTAL, PAUSE));
        pass(GRACE.minus(MOMENT));
        assertThat(notes).isEmpty();
        pass(MOMENT);
        pass(TOTAL.plus(TOTAL));
        assertThat(notes).containsExactly("silent");
    }

    @Test
    void whereSilenceMeansNothingItEndsWithTheTime() {
        look(new DetectHandler.Patience(null, TOTAL, PAUSE));
        pass(TOTAL.minus(MOMENT));
        assertThat(notes).isEmpty();
        pass(MOMENT);
        assertThat(notes).containsExactly("timed out after 0");
    }

    @Test
    void everySplitOfAClientHelloIsHandedOnAsItCame() {
        int length = hello.readableBytes();
        for (int cut = 1; cut < length; cut++) {
            Notes seen = new Notes();
            EmbeddedChannel fresh = new EmbeddedChannel();
            DetectHandler handler =
                    new DetectHandler(Layer.CLEAR, new DetectHandler.Patience(GRACE, TOTAL, PAUSE), seen);
            fresh.pipeline().addLast(handler);
            fresh.writeInbound(hello.retainedSlice(0, cut));
            assertThat(seen).as("cut at %d", cut).isEmpty();
            fresh.writeInbound(hello.retainedSlice(cut, length - cut));
            assertThat(seen).as("cut at %d", cut).containsExactly("Tls");
            handler.letGo();
            ByteBuf whole = fresh.readInbound();
            assertThat(whole).as("cut at %d", cut).isEqualTo(hello);
            whole.release();
            fresh.finishAndReleaseAll();
        }
    }

    /** What each is taken for, whole; a vector of the fact sheet, or the first that such a client sends. */
    static Stream<Arguments> everySplitOfAFirstFlightIsHandedOnAsItCame() {
        return Stream.of(
                Arguments.of("GET / HTTP/1.1\r\nhost: a\r\n\r\n", "Http1"),
                Arguments.of("\r\nPOST /foo HTTP/1.0\r\n\r\n", "Http1"),
                Arguments.of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "Http2"),
                Arguments.of("GET / HTTP/2.0\r\n", "Opaque"),
                Arguments.of("*1\r\n$4\r\nPING\r\n", "Opaque"),
                Arguments.of("EHLO a.example\r\n", "Opaque"),
                Arguments.of("SSH-2.0-OpenSSH_9.2\r\n", "Opaque"),
                Arguments.of("l5d.io/prose", "Opaque"),
                Arguments.of("transport.l5d.io/v2\r\n\r\n", "Opaque"),
                // PostgreSQL's SSLRequest, Kafka's ApiVersions, and a handshake of MySQL.
                Arguments.of("\0\0\0\10\4\u00d2\u0016/", "Opaque"),
                Arguments.of("\0\0\0\24\0\22\0\0\0\0\0\1\0\12client", "Opaque"),
                Arguments.of(" \0\0\1\u008d\u00a6\3\0", "Opaque"));
    }

    @ParameterizedTest
    @MethodSource
    void everySplitOfAFirstFlightIsHandedOnAsItCame(String flight, String verdict) {
        for (Layer layer : Layer.values()) {
            for (int cut = 1; cut < flight.length(); cut++) {
                Notes seen = new Notes();
                EmbeddedChannel fresh = new EmbeddedChannel();
                DetectHandler handler = new DetectHandler(layer, new DetectHandler.Patience(GRACE, TOTAL, PAUSE), seen);
                fresh.pipeline().addLast(handler);
                fresh.writeInbound(Unpooled.copiedBuffer(flight.substring(0, cut), ISO_8859_1));
                fresh.writeInbound(Unpooled.copiedBuffer(flight.substring(cut), ISO_8859_1));
                assertThat(seen).as("%s, cut at %d", layer, cut).containsExactly(verdict);
                handler.letGo();
                ByteBuf whole = fresh.readInbound();
                assertThat(whole.toString(ISO_8859_1))
                        .as("%s, cut at %d", layer, cut)
                        .isEqualTo(flight);
                whole.release();
                fresh.finishAndReleaseAll();
            }
        }
    }

    /** Cases 1 to 6, both magics: what follows a header is handed on, and none of the header is. */
    @Test
    void everySplitOfAConnectionHeaderIsReadAndLeavesWhatFollows() {
        for (HeaderMagic magic : HeaderMagic.values()) {
            for (String name : new String[] {null, "mysql.default.svc.cluster.local"}) {
                ConnectionHeader header =
                        new ConnectionHeader(magic, 3306, name, SessionProtocol.HTTP2, ConnectionHeader.Stage.SETTLED);
                ByteBuf flight = Unpooled.buffer();
                ConnectionHeaderCodec.write(header, flight);
                int length = flight.readableBytes();
                flight.writeCharSequence("12345", US_ASCII);
                for (int cut = 1; cut < flight.readableBytes(); cut++) {
                    assertThat(afterHeader(flight, cut, length))
                            .as("%s cut at %d", header, cut)
                            .isEqualTo("12345");
                }
            }
        }
    }

    /** What is handed on of a flight that comes in two pieces and begins with a header of so many bytes. */
    private static String afterHeader(ByteBuf flight, int cut, int length) {
        Notes seen = new Notes();
        EmbeddedChannel fresh = new EmbeddedChannel();
        DetectHandler handler =
                new DetectHandler(Layer.INSIDE_MUTUAL_TLS, new DetectHandler.Patience(null, TOTAL, TOTAL), seen);
        fresh.pipeline().addLast(handler);
        fresh.writeInbound(flight.retainedSlice(0, cut));
        assertThat(seen).hasSize(cut < length ? 0 : 1);
        fresh.writeInbound(flight.retainedSlice(cut, flight.readableBytes() - cut));
        assertThat(seen).containsExactly("Header");
        handler.skip(length);
        handler.letGo();
        ByteBuf rest = fresh.readInbound();
        String text = rest.toString(US_ASCII);
        rest.release();
        fresh.finishAndReleaseAll();
        return text;
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }
}
