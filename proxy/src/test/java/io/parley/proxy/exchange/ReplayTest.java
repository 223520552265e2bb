package io.parley.proxy.exchange;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final int MOST = 64 * 1_024;

    private final Replay replay = new Replay();

    ReplayTest() {
        replay.begin();
    }

    private static ByteBuf piece(String text) {
        return PooledByteBufAllocator.DEFAULT.buffer().writeBytes(text.getBytes(US_ASCII));
    }

    /** Sends a piece, as whoever does so then gives it away; says who else keeps it. */
    private int send(ByteBuf piece, boolean last, boolean pieces) {
        replay.keep(piece, last, pieces);
        piece.release();
        return piece.refCnt();
    }

    private String kept() {
        ByteBuf bytes = replay.bytes();
        String text = bytes.toString(US_ASCII);
        bytes.release();
        return text;
    }

    @Test
    void keepsTheOnePieceThatThereIsWithoutACopy() {
        ByteBuf only = piece("only");
        assertThat(send(only, true, false)).isEqualTo(1);
        assertThat(replay.isComplete()).isTrue();
        assertThat(kept()).isEqualTo("only");
        replay.giveUp();
        assertThat(only.refCnt()).isZero();
    }

    @Test
    void puttingPiecesTogetherCopiesEachOnce() {
        ByteBuf first = piece("x");
        send(first, false, true);
        ByteBuf second = piece("x");
        send(second, false, true);
        assertThat(first.refCnt()).isZero();
        assertThat(second.refCnt()).isZero();
        StringBuilder all = new StringBuilder("xx");
        for (int i = 2; i < MOST; i++) {
            send(piece("y"), i == MOST - 1, true);
            all.append('y');
        }
        assertThat(replay.isComplete()).isTrue();
        assertThat(kept()).isEqualTo(all.toString());
        replay.giveUp();
    }

    @Test
    void whatIsTooMuchIsNotKeptAndNothingAfterIt() {
        ByteBuf first = piece("x".repeat(MOST));
        send(first, false, true);
        assertThat(replay.isWhole()).isTrue();
        send(piece("y"), false, true);
        assertThat(replay.isWhole()).isFalse();
        assertThat(first.refCnt()).isZero();
        assertThat(send(piece("z"), true, true)).isZero();
        assertThat(replay.isComplete()).isFalse();
    }

    @Test
    void afterAnEarlyAnswerNothingMoreIsKept() {
        send(piece("before"), false, true);
        replay.giveUp();
        assertThat(send(piece("after"), true, true)).isZero();
        assertThat(replay.isComplete()).isFalse();
        assertThat(replay.isWhole()).isFalse();
    }

    @Test
    void piecesAreKeptOnlyIfThatIsAskedFor() {
        send(piece("one"), false, false);
        assertThat(replay.isWhole()).isTrue();
        send(piece("two"), true, false);
        assertThat(replay.isWhole()).isFalse();
    }

    @Test
    void whatWasHandedOutStaysAsItWas() {
        send(piece("a"), false, true);
        send(piece("b"), false, true);
        ByteBuf sent = replay.bytes();
        replay.hold(piece("c".repeat(10_000)), false);
        assertThat(sent.toString(US_ASCII)).isEqualTo("ab");
        sent.release();
        replay.hold(piece("d".repeat(MOST)), true);
        assertThat(kept()).hasSize(2 + 10_000 + MOST).startsWith("abc").endsWith("d");
        replay.giveUp();
    }
}
