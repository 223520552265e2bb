package io.parley.proxy.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.parley.proxy.http.HttpLimits;
import java.util.ArrayList;
import java.util.List;

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
        Frames frames = new Frames();
        List<String> offences = new ArrayList<>();
        Http2Link link = new Http2Link.Builder(
                        server, Http2Settings.defaultSettings().maxHeaderListSize(1_024), frames, listing(offences))
                .create();
        EmbeddedChannel channel = new EmbeddedChannel(link);
        channel.writeInbound(bytes);
        channel.checkException();
        assertThat(offences).doesNotContain("internal-error");
        channel.finishAndReleaseAll();
    }

    private static Http2Link.Offences listing(List<String> offences) {
        return new Http2Link.Offences() {
            @Override
            public void counted(String kind) {
                offences.add(kind);
            }

            @Override
            public void fatal(String kind) {
                offences.add(kind);
            }
        };
    }

    /** Takes everything, and looks at every head as the proxy would. */
    private static final class Frames extends Http2Frames {
        Frames() {
            super(new FrameBudget(() -> 0));
        }

        @Override
        void headers(int stream, Http2Headers headers, boolean last) {
            if (HeadCheck.request(headers, HttpLimits.DEFAULT.fields()) == null) {
                assertThat(headers.path().toString()).matches("[/*][!-~]*");
            }
        }

        @Override
        int data(int stream, ByteBuf data, int padding, boolean last) {
            return data.readableBytes() + padding;
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long code) {}
    }
}
