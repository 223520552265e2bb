package io.parley.cli.zones;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import io.parley.cli.demo.LocalMesh;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.proxy.tcp.Session;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way out of a zone, to a service of another zone and to one outside the mesh: all proxies are real, and so is TLS. */
class EgressTest {
    private static final String OUTSIDE = "bank.example";

    private final CertificateAuthority authority =
            CertificateAuthority.create("outside", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom());
    private final Queue<Session> passed = new ConcurrentLinkedQueue<>();

    @Test
    void whatLeavesAZoneTakesItsEgressWhereTheMeshSaysSo(@TempDir Path folder) throws Exception {
        int service = FreePorts.next();
        int egress = FreePorts.next();
        SSLContext tls = TlsOf.server(authority, OUTSIDE);
        try (Application mail = new Application("mail");
                Application bank = new Application("bank", tls.getServerSocketFactory());
                TwoZones zones = new TwoZones(folder)) {
            zones.global.apply("""
                type: ExternalService
                mesh: default
                name: bank
                tags: {kuma.io/service: bank, kuma.io/protocol: tcp}
                networking: {address: "127.0.0.1:%d", tls: {enabled: true, serverName: %s}}
                """.formatted(bank.port(), OUTSIDE));
            zones.offer("mail-1", """
                networking: {address: 127.0.0.1, inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, \
                tags: {kuma.io/service: mail, kuma.io/protocol: tcp}}]}\
                """.formatted(FreePorts.next(), mail.port()));
            zones.ingress(FreePorts.next());
            zones.egress(egress, passed::add);
            zones.caller("{port: %d, tags: {kuma.io/service: mail}}".formatted(service));

            awaitGreeting(mail, () -> new Socket(InetAddress.getLoopbackAddress(), service));
            awaitPassed("default/mail");
            awaitGreeting(bank, () -> outsideBy(egress));
            awaitPassed("default/external/bank");
            awaitOnline(zones);
        }
    }

    /** What a workload's proxy does for an external service: TLS with that itself, through the egress. */
    private Socket outsideBy(int egress) throws Exception {
        SSLSocket socket = (SSLSocket)
                TlsOf.client(authority).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), egress);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(OUTSIDE)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    private interface Dial {
        Socket connect() throws Exception;
    }

    private static void awaitGreeting(Application application, Dial dial) {
        await().atMost(TwoZones.PATIENCE).ignoreExceptions().untilAsserted(() -> {
            try (Socket socket = dial.connect()) {
                socket.setSoTimeout(10_000);
                byte[] said = socket.getInputStream()
                        .readNBytes(application.greeting().length());
                assertThat(new String(said, StandardCharsets.US_ASCII)).isEqualTo(application.greeting());
            }
        });
    }

    private void awaitPassed(String target) {
        await().atMost(TwoZones.PATIENCE)
                .until(() -> passed.stream()
                        .filter(session -> session.sent() > 0)
                        .map(Session::choice)
                        .anyMatch(choice -> choice != null && choice.target().equals(target)));
    }

    /** Both proxies are seen in their zones, and on global. */
    private static void awaitOnline(TwoZones zones) {
        await().atMost(TwoZones.PATIENCE).untilAsserted(() -> {
            assertThat(inspect(zones.first, "zoneegresses")).containsPattern("egress +- +online");
            assertThat(inspect(zones.second, "zoneingresses")).containsPattern("ingress +zone-2 +online");
            assertThat(inspect(zones.global, "zoneegresses")).containsPattern("zone-1.egress +zone-1 +online");
            assertThat(inspect(zones.global, "zoneingresses")).containsPattern("zone-2.ingress +zone-2 +online");
        });
    }

    private static String inspect(LocalMesh at, String what) {
        String data = String.valueOf(at.controlPlane().caFile().getParent());
        return TestControlPlane.run(Map.of("PARLEY_DATA", data), "inspect", what)
                .out();
    }
}
