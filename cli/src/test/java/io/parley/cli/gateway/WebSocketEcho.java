package io.parley.cli.gateway;

import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Sends every message back. */
final class WebSocketEcho implements Subscriber<WebSocketFrame> {
    private final WebSocketWriter out;

    WebSocketEcho(WebSocketWriter out) {
        this.out = out;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(WebSocketFrame frame) {
        if (frame.type() == WebSocketFrameType.TEXT) {
            out.write(frame.text());
        } else if (frame.type() == WebSocketFrameType.BINARY) {
            out.write(frame.array());
        }
    }

    @Override
    public void onError(Throwable failure) {
        out.close(failure);
    }

    @Override
    public void onComplete() {
        out.close();
    }
}
