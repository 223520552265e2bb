package io.parley.link.server;

import com.linecorp.armeria.common.websocket.CloseWebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import io.netty.buffer.ByteBuf;
import io.parley.link.LinkLimits;
import io.parley.link.peer.InboundMessages;
import io.parley.wire.wrpc.CloseReason;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Reads the frames of one WebSocket. What arrives is dealt with at once, so there is nothing to hold back. */
final class InboundFrames implements Subscriber<WebSocketFrame> {
    private final LinkSession session;
    private final ArmeriaWire wire;
    private final InboundMessages messages;

    InboundFrames(LinkSession session, ArmeriaWire wire, LinkLimits limits) {
        this.session = session;
        this.wire = wire;
        this.messages = new InboundMessages(session.peer(), limits);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(WebSocketFrame frame) {
        session.heard();
        try (frame) {
            switch (frame.type()) {
                case BINARY, CONTINUATION -> data(frame);
                case TEXT -> messages.text();
                case PING -> wire.pong(frame.array());
                case PONG -> {}
                case CLOSE -> closed((CloseWebSocketFrame) frame);
            }
        }
    }

    @Override
    public void onError(Throwable cause) {
        session.peer()
                .ended(new CloseReason(
                        CloseReason.ABNORMAL,
                        "connection lost: " + cause.getClass().getSimpleName()));
    }

    @Override
    public void onComplete() {
        session.peer().ended(new CloseReason(CloseReason.ABNORMAL, "connection ended without a close frame"));
    }

    private void data(WebSocketFrame frame) {
        ByteBuf bytes = frame.byteBuf();
        messages.data(
                bytes.nioBuffer(),
                frame.isFinalFragment() ? InboundMessages.Position.LAST : InboundMessages.Position.MORE_TO_COME);
    }

    /** RFC 6455, 5.5.1: a close frame is answered by one. */
    private void closed(CloseWebSocketFrame frame) {
        String text = frame.reasonPhrase();
        var reason = new CloseReason(frame.status().code(), text == null ? "" : text);
        wire.close(new CloseReason(CloseReason.NORMAL, ""));
        session.peer().ended(reason);
    }
}
