package io.parley.proxy.exchange;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.pool.ClientStream;
import io.parley.wire.http.Fields;
import org.junit.jupiter.api.Test;

class OutgoingTest {
    /** A client that is listened to or not. */
    private static final class Client implements RequestSource {
        private boolean reading = true;

        @Override
        public boolean isPlain() {
            return false;
        }

        @Override
        public Version version() {
            return Version.HTTP2;
        }

        @Override
        public boolean isBodyless() {
            return false;
        }

        @Override
        public long received() {
            return 0;
        }

        @Override
        public Fields model() {
            return new Fields();
        }

        @Override
        public void pump() {}

        @Override
        public void setReading(boolean on) {
            reading = on;
        }
    }

    /** A server that notes what it gets. */
    private static final class Noting implements ClientStream {
        private final StringBuilder got = new StringBuilder();
        private boolean writable = true;

        @Override
        public void head(Fields head, boolean last) {}

        @Override
        public void data(ByteBuf content, boolean last) {
            got.append(content.toString(US_ASCII)).append(last ? "." : "");
            content.release();
        }

        @Override
        public void trailers(Fields trailers) {
            got.append("+trailers");
        }

        @Override
        public void wire(ByteBuf bytes, boolean last) {
            data(bytes, last);
        }

        @Override
        public void flush() {}

        @Override
        public void cancel() {}

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void setReading(boolean on) {}
    }

    private final Client client = new Client();
    private final Outgoing outgoing = new Outgoing(client, new Deadlines());

    OutgoingTest() {
        outgoing.begin();
        outgoing.keepsPieces(true);
    }

    private static ByteBuf piece(String text) {
        return PooledByteBufAllocator.DEFAULT.buffer().writeBytes(text.getBytes(US_ASCII));
    }

    @Test
    void theNextServerGetsAllOfIt() {
        Noting first = new Noting();
        outgoing.goesTo(first);
        outgoing.data(piece("one "), false);
        outgoing.leave();
        outgoing.holdRest();
        assertThat(client.reading).isFalse();
        outgoing.data(piece("two "), false);

        Noting second = new Noting();
        outgoing.goesTo(second);
        outgoing.resend(second, false);
        assertThat(client.reading).isTrue();
        outgoing.data(piece("three"), false);
        outgoing.trailers(new Fields());
        assertThat(first.got).hasToString("one ");
        assertThat(second.got).hasToString("one two three+trailers");

        Noting third = new Noting();
        outgoing.resend(third, false);
        assertThat(third.got).hasToString("one two three+trailers");
        outgoing.end();
    }

    @Test
    void aClientIsNotHeardWhereTheNextServerTakesNoMore() {
        outgoing.goesTo(new Noting());
        outgoing.data(piece("one"), false);
        outgoing.leave();
        outgoing.holdRest();
        Noting full = new Noting();
        full.writable = false;
        outgoing.goesTo(full);
        outgoing.resend(full, false);
        assertThat(client.reading).isFalse();
        outgoing.end();
    }

    @Test
    void whatComesAfterTheWholeAnswerIsForNobody() {
        outgoing.goesTo(new Noting());
        outgoing.data(piece("one"), false);
        outgoing.end();
        ByteBuf late = piece("late");
        outgoing.data(late, false);
        assertThat(late.refCnt()).isZero();
        assertThat(outgoing.replay().isWhole()).isFalse();
    }
}
