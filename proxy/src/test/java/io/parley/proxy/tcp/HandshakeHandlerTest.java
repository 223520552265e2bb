package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.parley.identity.certificate.SpiffeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeHandlerTest {
    private final List<Throwable> failures = new ArrayList<>();

    private final EmbeddedChannel channel = new EmbeddedChannel(new HandshakeHandler(new HandshakeHandler.Outcome() {
        @Override
        public void identified(List<SpiffeId> names, HandshakeHandler.HeaderAgreed header) {
            throw new IllegalStateException("nobody has shown who they are");
        }

        @Override
        public void failed(Throwable cause) {
            failures.add(cause);
        }
    }));

    @Test
    void aClientThatEndsTheConnectionHasFailedOnceAndAtOnce() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(failures).hasSize(1);
        channel.pipeline().fireUserEventTriggered(new SslHandshakeCompletionEvent(new IllegalStateException("late")));
        assertThat(failures).hasSize(1);
    }
}
