package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class ChunkScannerTest {
    private final ChunkScanner scanner = new ChunkScanner(TrailerFields.OF_REQUESTS);

    private boolean isTaken(String body) {
        scanner.start();
        ByteBuf in = Unpooled.copiedBuffer(body, US_ASCII);
        return scanner.scan(in, 0, in.writerIndex(), (_, _, _) -> {}) == in.writerIndex() && scanner.isComplete();
    }

    @Test
    void takesAsManyTrailersAsAHeadMayHaveFields() {
        assertThat(isTaken("0\r\n" + "a: b\r\n".repeat(100) + "\r\n")).isTrue();
        assertThat(isTaken("0\r\n" + "a: b\r\n".repeat(101) + "\r\n")).isFalse();
        assertThat(scanner.flaw()).isEqualTo(Flaw.TRAILERS_TOO_LARGE);
    }

    @Test
    void extensionsMayNotBeMostOfABody() {
        String extension = ";" + "e".repeat(200);
        assertThat(isTaken(("1" + extension + "\r\nx\r\n").repeat(50) + "0\r\n\r\n"))
                .isTrue();
        assertThat(isTaken("1\r\nx\r\n".repeat(10_000) + "0\r\n\r\n")).isTrue();
        assertThat(isTaken(("80" + extension + "\r\n" + "x".repeat(128) + "\r\n").repeat(1_000) + "0\r\n\r\n"))
                .isTrue();
        assertThat(isTaken(("1" + extension + "\r\nx\r\n").repeat(100) + "0\r\n\r\n"))
                .isFalse();
        assertThat(scanner.flaw()).isEqualTo(Flaw.CHUNK_EXTENSION);
    }
}
