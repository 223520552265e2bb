package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.parley.cli.FreePorts;
import io.parley.cli.demo.LocalMesh;
import io.parley.control.app.HostPort;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.Pem;
import io.parley.identity.certificate.SpiffeId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A workload speaks clear text to its proxy, and its proxy TLS with what is outside the mesh and asks who calls. */
class ExternalServiceTlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration DAY = Duration.ofDays(1);
    private static final char[] NO_PASSWORD = new char[0];

    private final CertificateAuthority authority = authority("outside");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void aProxyShowsItsCertificateAndBelievesOnlyWhoIsVouchedFor(@TempDir Path folder) throws Exception {
        HttpsServer payments = server();
        try (LocalMesh mesh = LocalMesh.start(folder, HostPort.parse("127.0.0.1:0"), HostPort.parse("127.0.0.1:0"))) {
            int outbound = FreePorts.next();
            mesh.apply(web(outbound));
            Credentials own = client();
            mesh.apply(secret("payments-ca", Pem.encode(authority.certificate())));
            mesh.apply(secret("payments-key", Pem.encode(own.key())));
            mesh.apply(external(payments, "{secret: payments-ca}", own));
            var _ = mesh.join("web-1", _ -> {});
            await().atMost(PATIENCE).ignoreExceptions().until(() -> status(outbound) == 200);
            assertThat(body(outbound)).isEqualTo("paid by spiffe://outside/web");

            String stranger = Pem.encode(authority("somebody else").certificate());
            mesh.apply(external(payments, "{inlineString: \"" + stranger.replace("\n", "\\n") + "\"}", own));
            await().atMost(PATIENCE).until(() -> status(outbound) == 503);

            String known = Base64.getEncoder()
                    .encodeToString(Pem.encode(authority.certificate()).getBytes(StandardCharsets.US_ASCII));
            mesh.apply(external(payments, "{inline: " + known + "}", own));
            await().atMost(PATIENCE).until(() -> status(outbound) == 200);
        } finally {
            payments.stop(0);
            http.shutdownNow();
        }
    }

    private int status(int port) throws IOException, InterruptedException {
        return get(port).statusCode();
    }

    private String body(int port) throws IOException, InterruptedException {
        return get(port).body();
    }

    private HttpResponse<String> get(int port) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                        .timeout(PATIENCE)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static CertificateAuthority authority(String name) {
        return CertificateAuthority.create(name, DAY, Clock.systemUTC(), new SecureRandom());
    }

    private Credentials client() {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        SpiffeId name = SpiffeId.ofService("outside", "web");
        return new Credentials(List.of(authority.issueWorkload(name, pair.getPublic(), DAY)), pair.getPrivate());
    }

    /** Answers whom it knows by a certificate of the authority, and nobody else. */
    private HttpsServer server() throws IOException, GeneralSecurityException {
        SSLContext context = context(authority.issueServer(List.of("payments.test"), List.of(), DAY));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters demand = context.getDefaultSSLParameters();
                demand.setNeedClientAuth(true);
                parameters.setSSLParameters(demand);
            }
        });
        server.createContext("/", exchange -> {
            var session = ((com.sun.net.httpserver.HttpsExchange) exchange).getSSLSession();
            SpiffeId caller = SpiffeId.allIn((X509Certificate) session.getPeerCertificates()[0])
                    .getFirst();
            byte[] body = ("paid by " + caller).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private SSLContext context(Credentials own) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("ca", authority.certificate());
        store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static String external(HttpsServer server, String authorities, Credentials own) {
        return """
            type: ExternalService
            mesh: default
            name: payments
            tags: {kuma.io/service: payments, kuma.io/protocol: http}
            networking:
              address: 127.0.0.1:%d
              tls:
                enabled: true
                serverName: payments.test
                caCert: %s
                clientCert: {inlineString: "%s"}
                clientKey: {secret: payments-key}
            """.formatted(
                        server.getAddress().getPort(),
                        authorities,
                        Pem.encode(own.chain()).replace("\n", "\\n"));
    }

    private static String secret(String name, String text) {
        return """
            type: Secret
            mesh: default
            name: %s
            data: %s
            """.formatted(name, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String web(int outbound) throws IOException {
        return """
            type: Dataplane
            mesh: default
            name: web-1
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
              outbound: [{port: %d, tags: {kuma.io/service: payments}}]
            """.formatted(FreePorts.next(), FreePorts.next(), outbound);
    }
}
