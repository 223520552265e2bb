package io.parley.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void saysWhatIsBehindAFailure() {
        var tls = new SSLHandshakeException("General OpenSslEngine problem");
        tls.initCause(new CertificateException("no path to an authority that is trusted"));

        assertThat(Failures.text(tls)).isEqualTo("no path to an authority that is trusted");
        assertThat(Failures.text(new IOException("no address of db", new IOException("db"))))
                .isEqualTo("no address of db");
    }

    @Test
    void neverSaysNothing() {
        assertThat(Failures.text(new ClosedChannelException())).isEqualTo("the other side closed the connection");
        assertThat(Failures.text(new IOException())).isEqualTo("IOException");
    }
}
