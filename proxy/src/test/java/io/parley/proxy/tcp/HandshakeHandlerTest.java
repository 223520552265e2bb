package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandshakeHandlerTest {
    /** How someone is found not to be who they should be. */
    private interface Check {
        void run() throws SSLException;
    }

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Throwable> failures = new ArrayList<>();
    private int successes;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void whoEndsTheConnectionHasFailedOnceAndAtOnce() {
        begin(() -> {});
        fire(ChannelInputShutdownEvent.INSTANCE);
        assertThat(failures).hasSize(1);
        fire(new SslHandshakeCompletionEvent(new SSLException("late")));
        assertThat(failures).hasSize(1);
        assertThat(successes).isZero();
    }

    @Test
    void whoIsNotWhoTheyShouldBeHasFailedToo() {
        SSLException stranger = new SSLException("a stranger");
        begin(() -> {
            throw stranger;
        });
        fire(SslHandshakeCompletionEvent.SUCCESS);
        fire(ChannelInputShutdownEvent.INSTANCE);
        channel.pipeline().fireExceptionCaught(stranger);
        assertThat(failures).containsExactly(stranger);
        channel.checkException();
    }

    @Test
    void afterASuccessNothingIsKeptFromWhoComesNext() {
        begin(() -> fire(ChannelInputShutdownEvent.INSTANCE));
        fire(SslHandshakeCompletionEvent.SUCCESS);
        assertThat(successes).isOne();
        assertThat(failures).isEmpty();
        assertThat(channel.pipeline().get(HandshakeHandler.class)).isNull();
    }

    @Test
    void aMistakeOfOursIsNotTakenForAFailedHandshake() {
        begin(() -> {
            throw new IllegalStateException("ours");
        });
        fire(SslHandshakeCompletionEvent.SUCCESS);
        assertThat(failures).isEmpty();
        assertThatThrownBy(channel::checkException).hasMessage("ours");
    }

    private void fire(Object event) {
        channel.pipeline().fireUserEventTriggered(event);
    }

    private void begin(Check check) {
        channel.pipeline().addLast(new HandshakeHandler(tls(), new HandshakeHandler.Outcome() {
            @Override
            public void succeeded(SslHandler tls) throws SSLException {
                check.run();
                successes++;
            }

            @Override
            public void failed(Throwable cause) {
                failures.add(cause);
            }
        }));
    }

    private static SslHandler tls() {
        try {
            return new SslHandler(SSLContext.getDefault().createSSLEngine());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
