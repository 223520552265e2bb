package io.parley.link.peer;

import io.parley.link.LinkLimits;
import io.parley.wire.wrpc.CloseReason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * WebSocket frames to whole messages for a peer. Fragments are put together here and not by the WebSocket libraries, which keep an
 * object for each of any number of empty fragments.
 */
public final class InboundMessages {
    private final WrpcPeer peer;
    private final int maxBytes;
    private @Nullable ByteArrayOutputStream begun;

    public InboundMessages(WrpcPeer peer, LinkLimits limits) {
        this.peer = peer;
        this.maxBytes = limits.maxFrameBytes();
    }

    /** Where in its message a frame stands. */
    public enum Position {
        LAST,
        MORE_TO_COME
    }

    /** A binary frame, or the continuation of one. */
    public void data(ByteBuffer piece, Position position) {
        int size = piece.remaining() + (begun == null ? 0 : begun.size());
        if (size > maxBytes) {
            begun = null;
            peer.close(new CloseReason(
                    CloseReason.TOO_BIG, "message: " + size + " bytes (expected: at most " + maxBytes + ")"));
            return;
        }
        if (begun == null && position == Position.LAST) {
            peer.received(piece);
            return;
        }
        ByteArrayOutputStream whole = begun == null ? new ByteArrayOutputStream(size) : begun;
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        whole.writeBytes(bytes);
        begun = whole;
        if (position == Position.LAST) {
            begun = null;
            peer.received(ByteBuffer.wrap(whole.toByteArray()));
        }
    }

    public void text() {
        peer.close(new CloseReason(CloseReason.UNSUPPORTED_DATA, "text frame (expected: binary frames only)"));
    }
}
