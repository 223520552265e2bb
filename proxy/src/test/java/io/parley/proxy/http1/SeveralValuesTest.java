package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.parley.proxy.http.HttpLimits;
import org.junit.jupiter.api.Test;

/** What rules and routes read where a field comes several times. */
class SeveralValuesTest {
    private static RequestHead read(String fields) {
        RequestHead head = new RequestHead(HttpLimits.DEFAULT);
        String text = "GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
        assertThat(head.scan(Unpooled.copiedBuffer(text, ISO_8859_1), 0)).isEqualTo(text.length());
        return head;
    }

    @Test
    void areAList() {
        RequestHead head = read("X-A: 1\r\nX-B: 2\r\nx-a: 3\r\n");
        assertThat(head.field("x-a")).isEqualTo("1,3");
        assertThat(head.field("x-b")).isEqualTo("2");
        assertThat(head.field("x-c")).isNull();
    }

    /** As over HTTP/2: one cookie is not looked for in the value of another. */
    @Test
    void areOneCookie() {
        assertThat(read("Cookie: a=1\r\nCookie: b=2; c=3\r\n").field("cookie")).isEqualTo("a=1; b=2; c=3");
    }
}
