package io.parley.proxy.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.CancellationException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handshake of the proxy with itself, in memory. The first one of a process looks for providers of cryptography, reads its first certificates and follows
 * its first path to an authority, which together take half a second or more; no peer should wait for that.
 */
final class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

    private final EmbeddedChannel caller;
    private final EmbeddedChannel answerer;

    private Rehearsal(SslHandler client, SslHandler server) {
        this.answerer = new EmbeddedChannel(server);
        this.caller = new EmbeddedChannel(client);
    }

    /** Shakes hands as two proxies do. That it comes to nothing says nothing about others: a certificate need not be trusted by who shows it. */
    static void of(SslHandler client, SslHandler server) {
        new Rehearsal(client, server).play(client);
    }

    private void play(SslHandler client) {
        try {
            boolean more = true;
            while (more) {
                more = pass(caller, answerer);
                more |= pass(answerer, caller);
            }
            if (client.handshakeFuture().isSuccess()) {
                var _ = PeerIdentity.allOf(client.engine().getSession());
            }
        } catch (DecoderException | SSLPeerUnverifiedException e) {
            LOG.debug("a handshake with oneself failed", e);
        } finally {
            end(caller);
            end(answerer);
        }
    }

    private static boolean pass(EmbeddedChannel from, EmbeddedChannel to) {
        boolean any = false;
        for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
            any = true;
            to.writeInbound(bytes);
        }
        return any;
    }

    private static void end(EmbeddedChannel channel) {
        try {
            channel.finishAndReleaseAll();
        } catch (DecoderException | CancellationException e) {
            LOG.debug("the end of a handshake with oneself", e);
        }
    }
}
