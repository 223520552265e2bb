package io.parley.proxy.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.internal.tcnative.SSL;

/**
 * Makes every handshake a whole one. A resumed session shows no certificate, so it would carry an identity that has ended or been replaced
 * since, and rules about who may connect would be kept for somebody who has not proven to be there.
 *
 * <p>The JDK's TLS, which is used where BoringSSL does not load, cannot be kept from resuming; there, sessions end within a second
 * ({@link #SECONDS}).
 */
final class FullHandshakes {
    /** How long a session may be resumed where that cannot be switched off. Zero would be without end. */
    static final int SECONDS = 1;

    private FullHandshakes() {}

    /** Keeps no sessions: neither their numbers, which clients of TLS 1.2 ask for, nor those of servers. */
    static SslContext only(SslContext context) {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(false);
        }
        return context;
    }

    /** Hands out no tickets. Netty allows them again for each connection of TLS 1.3, whatever its context says. */
    static SslHandler only(SslHandler handler) {
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            SSL.setOptions(engine.sslPointer(), SSL.SSL_OP_NO_TICKET);
        }
        return handler;
    }
}
