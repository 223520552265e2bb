package io.parley.proxy.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;

/** Whatever frames come after the preface: each is taken, or resets its stream, or ends the connection; nothing else happens. */
class FramesFuzzTest {
    @FuzzTest
    void toAServer(byte[] input) {
        ByteBuf preface = Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", US_ASCII);
        feed(true, Unpooled.wrappedBuffer(preface, Unpooled.wrappedBuffer(FramePeer.frame(4, 0, 0)), copy(input)));
    }

    @FuzzTest
    void toAClient(byte[] input) {
        feed(false, Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(FramePeer.frame(4, 0, 0)), copy(input)));
    }

    private static ByteBuf copy(byte[] input) {
        return Unpooled.copiedBuffer(input);
    }

    private static void feed(boolean server, ByteBuf bytes) {
        TestOwner owner = new TestOwner(server);
        EmbeddedChannel channel = new EmbeddedChannel(new Http2Link(owner, new FrameBudget(() -> 0)));
        channel.writeInbound(bytes);
        channel.checkException();
        assertThat(owner.offences).doesNotContain("internal-error");
        owner.begun.forEach(stream ->
                assertThat(String.valueOf(stream.heads.getFirst().path())).matches("[/*][!-~]*"));
        channel.finishAndReleaseAll();
    }
}
