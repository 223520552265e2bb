package io.parley.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.config.UpstreamTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys that stay in memory are not encrypted on their way to the TLS library, which takes longer than all else about a certificate. */
class KeyDerivationTest {
    /** Read by the JDK for each key that is put into a PKCS #12 store. */
    private static final String ALGORITHM = "keystore.pkcs12.keyProtectionAlgorithm";

    private final CertificateAuthority authority = TestMesh.authority();
    private final Credentials own = authority.issueServer(List.of("a.example"), List.of(), Duration.ofHours(1));

    @BeforeEach
    void noKeyCanBeEncrypted() {
        System.setProperty(ALGORITHM, "none that exists");
    }

    @AfterEach
    void asBefore() {
        System.clearProperty(ALGORITHM);
    }

    @Test
    void notForTheMesh() throws SSLException {
        TlsContexts contexts = TlsContexts.create(TestMesh.issue(authority, TestMesh.SERVER, Duration.ofHours(1)));

        assertThat(contexts.server().isServer()).isTrue();
        contexts.release();
    }

    @Test
    void notForAGateway() throws SSLException {
        TlsServer server = TlsServer.of(new ServerTls(List.of(own), List.of(), null));

        var handler = server.handler(UnpooledByteBufAllocator.DEFAULT, "a.example");
        assertThat(handler.engine().getUseClientMode()).isFalse();
        ReferenceCountUtil.release(handler.engine());
    }

    @Test
    void notTowardsAServer() throws SSLException {
        var tls = new UpstreamTls("a.example", List.of(authority.certificate()), List.of(), List.of(), own);

        var handler = new PublicTls()
                .client(UnpooledByteBufAllocator.DEFAULT, tls, InetSocketAddress.createUnresolved("a.example", 443));
        assertThat(handler.engine().getUseClientMode()).isTrue();
        ReferenceCountUtil.release(handler.engine());
    }
}
