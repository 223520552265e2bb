package io.parley.cli.policy;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mesh changes its authority while its members talk to each other. */
class AuthorityRotationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROTATIONS = 10;

    @Test
    void tenRotationsUnderLoadFailNoHandshake(@TempDir Path folder) throws IOException {
        try (Shop shop = new Shop(folder);
                ShopLoad load = new ShopLoad(shop)) {
            load.more(5);
            for (int i = 1; i <= ROTATIONS; i++) {
                String name = "ca-" + i;
                shop.secure(name, "{name: " + name + ", type: builtin}");
                await().atMost(PATIENCE)
                        .until(() -> issuerAt(shop.ordersInbound()).contains(name));
                load.more(5);
            }
        }
    }

    /** Who signed what the proxy before orders shows now. */
    private static String issuerAt(int port) throws GeneralSecurityException {
        AtomicReference<X509Certificate> shown = new AtomicReference<>();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody(shown)}, null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("orders.default")));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
        } catch (IOException e) {
            // A client without a certificate is turned away, but not before it has seen the proxy's.
        }
        X509Certificate seen = shown.get();
        return seen == null ? "nobody" : seen.getIssuerX500Principal().getName();
    }

    /** Believes anybody, and keeps what it was shown. */
    private record Anybody(AtomicReference<X509Certificate> shown) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            shown.set(chain[0]);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
