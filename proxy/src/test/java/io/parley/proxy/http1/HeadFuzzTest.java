package io.parley.proxy.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.HttpLimits;
import io.parley.wire.http.Field;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Whatever bytes come: an answer, no exception, and never a head that means two things. */
class HeadFuzzTest {
    @FuzzTest
    void requests(byte[] input) {
        RequestHead head = new RequestHead(HttpLimits.DEFAULT);
        ByteBuf in = Unpooled.wrappedBuffer(input);
        int length = head.scan(in, 0);
        if (length > 0) {
            String text = new String(input, 0, length, StandardCharsets.ISO_8859_1);
            assertThat(text).endsWith("\r\n\r\n").doesNotContain("\u0000");
            assertThat(text.substring(0, length - 4)).doesNotContain("\r\n\r\n");
            if (head.normalise(PathHandling.NORMALISED)) {
                for (Field field : head.model(true, true)) {
                    assertThat(field.value().toString()).doesNotContain("\r", "\n", "\u0000");
                }
            }
        } else if (length < 0) {
            assertThat(head.flaw().status()).isBetween(400, 499);
        }
    }

    @FuzzTest
    void responses(byte[] input) {
        ResponseHead head = new ResponseHead(HttpLimits.DEFAULT);
        int length = head.scan(Unpooled.wrappedBuffer(input), 0);
        if (length > 0) {
            assertThat(head.status()).isBetween(100, 999);
            assertThat((CharSequence) head.model().status()).hasSize(3);
        }
    }

    @FuzzTest
    void bodies(byte[] input) {
        Body body = new Body(TrailerFields.OF_REQUESTS);
        body.chunked();
        ByteBuf in = Unpooled.wrappedBuffer(input);
        int whole = body.take(in, 0, input.length);
        // Cut anywhere, a body is the same body.
        Body cut = new Body(TrailerFields.OF_REQUESTS);
        cut.chunked();
        int taken = 0;
        for (int i = 0; i < input.length && taken >= 0 && !cut.isComplete(); i++) {
            int one = cut.take(in, i, i + 1);
            taken = one < 0 ? -1 : taken + one;
        }
        assertThat(taken).isEqualTo(whole);
        assertThat(cut.isComplete()).isEqualTo(body.isComplete());
    }

    /** A request for a WebSocket with anything in it becomes one only with a key of 16 bytes and in the one version there is. */
    @FuzzTest
    void webSocketHandshakes(byte[] input) {
        String text = "GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
                + new String(input, StandardCharsets.ISO_8859_1)
                + "\r\n\r\n";
        RequestHead head = new RequestHead(HttpLimits.DEFAULT);
        int length = head.scan(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1), 0);
        if (length > 0 && head.isWebSocket() && head.isWebSocketValid()) {
            String key = String.valueOf(head.field("sec-websocket-key"));
            assertThat(Base64.getDecoder().decode(key)).hasSize(16);
            assertThat(head.field("sec-websocket-version")).isEqualTo("13");
            assertThat(WebSocketKey.accepts(key, WebSocketKey.answer(key))).isTrue();
            assertThat((CharSequence) head.model(true, true).protocol()).hasToString("websocket");
        }
    }
}
