package io.parley.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.proxy.app.TestMesh;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    private final CertificateAuthority authority = TestMesh.authority();

    @Test
    void shakesHandsWithItselfToTheEnd() throws SSLException {
        TlsContexts own = TlsContexts.create(TestMesh.issue(authority, TestMesh.SERVER, Duration.ofHours(1)));
        SslHandler client = handler(own.clientWithHeader());
        SslHandler server = handler(own.serverWithHeader());

        Rehearsal.of(client, server);

        assertThat(client.handshakeFuture().isSuccess()).isTrue();
        assertThat(server.handshakeFuture().isSuccess()).isTrue();
        assertNothingIsHeld(client, server);
        own.release();
    }

    @Test
    void leavesNothingBehindIfItIsNotTrustedByItself() throws SSLException {
        TlsContexts own = TlsContexts.create(TestMesh.issue(authority, TestMesh.SERVER, Duration.ofHours(1)));
        TlsContexts other =
                TlsContexts.create(TestMesh.issue(TestMesh.authority(), TestMesh.CLIENT, Duration.ofHours(1)));
        SslHandler client = handler(other.clientWithHeader());
        SslHandler server = handler(own.serverWithHeader());

        Rehearsal.of(client, server);

        assertThat(client.handshakeFuture().isSuccess()).isFalse();
        assertNothingIsHeld(client, server);
        own.release();
        other.release();
    }

    private static SslHandler handler(SslContext context) {
        return FullHandshakes.only(context.newHandler(ByteBufAllocator.DEFAULT));
    }

    private static void assertNothingIsHeld(SslHandler... handlers) {
        for (SslHandler handler : List.of(handlers)) {
            assertThat(ReferenceCountUtil.refCnt(handler.engine())).isZero();
        }
    }
}
