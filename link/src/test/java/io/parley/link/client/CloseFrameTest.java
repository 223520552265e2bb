package io.parley.link.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.parley.wire.wrpc.CloseReason;
import org.junit.jupiter.api.Test;

class CloseFrameTest {
    /** RFC 6455, 5.5.1: a close frame may be empty, and those of Kong's go-wrpc are. Seen by people in "connection closed, …". */
    @Test
    void oneThatIsEmptyHasTheCodeThatStandsForNone() {
        var empty = new CloseWebSocketFrame(true, 0);
        assertThat(LinkConnection.reason(empty)).hasToString("1005 without a reason");
        empty.release();
    }

    @Test
    void oneThatSaysWhyIsTakenAtItsWord() {
        var frame = new CloseWebSocketFrame(1013, "later");
        assertThat(LinkConnection.reason(frame)).isEqualTo(new CloseReason(CloseReason.TRY_AGAIN_LATER, "later"));
        frame.release();
    }
}
