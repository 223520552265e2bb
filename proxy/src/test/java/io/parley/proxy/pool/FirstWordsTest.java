package io.parley.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.config.HttpUpstream.Version;
import org.junit.jupiter.api.Test;

/** What a server speaks is known by what it says first. */
class FirstWordsTest {
    private final FirstWords words = new FirstWords(Version.HTTP2);
    private final EmbeddedChannel channel = new EmbeddedChannel(words);

    @Test
    void aServerThatHangsUpWithoutAWordDoesNotSpeakHttp2() {
        channel.close();
        assertThat(words.surprise()).isEqualTo("nothing: it closed the connection");
    }

    @Test
    void aServerThatIsGivenUpWithoutAWordMaySpeakAnything() {
        words.giveUp();
        channel.close();
        assertThat(words.surprise()).isNull();
    }

    @Test
    void aServerThatHangsUpLaterHasSpoken() {
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}));
        channel.close();
        assertThat(words.surprise()).isNull();
        channel.releaseInbound();
    }
}
