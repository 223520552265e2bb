package io.parley.cli.zones;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.tcp.Agreed;
import io.parley.proxy.tcp.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Global, two zones, and proxies of ours on the whole way: caller, ingress, service. */
class AcrossZonesTest {
    /** Server-first, and declared so only where it is: by header to a proxy that takes all ports, and by the port itself. */
    @Test
    void aServiceThatSpeaksFirstAndIsDeclaredOpaqueOnlyInItsZoneAnswersFromTheOtherOne(@TempDir Path folder)
            throws Exception {
        int byHeader = FreePorts.next();
        int byPort = FreePorts.next();
        int ingress = FreePorts.next();
        try (Application database = new Application("database");
                Application mail = new Application("mail");
                TwoZones zones = new TwoZones(folder)) {
            zones.offer("database-1", byHeader(database));
            zones.offer("mail-1", onItsOwnPort("mail", mail));
            zones.ingress(ingress);
            zones.caller("{port: %d, tags: {kuma.io/service: database}}, {port: %d, tags: {kuma.io/service: mail}}"
                    .formatted(byHeader, byPort));

            awaitAnswer(byHeader, database.greeting());
            awaitAnswer(byPort, mail.greeting());

            await().atMost(TwoZones.PATIENCE)
                    .untilAsserted(() -> assertThat(targets(zones))
                            .contains("database", "default/database by header", "mail", "default/mail"));
            // Nobody on the way had to find out what it is, or to wait for a client that says nothing.
            assertThat(whole(zones)).allSatisfy(session -> {
                Agreed agreed = Objects.requireNonNull(session.agreed());
                assertThat(agreed.protocol()).isEqualTo(Protocol.OPAQUE);
                assertThat(agreed.because().source().rule()).doesNotContain("detect", "server-spoke-first");
            });
            // The service is told who called, though an ingress stood between.
            assertThat(whole(zones).stream().map(Session::agreed).map(agreed -> "" + agreed.peer()))
                    .contains("spiffe://default/web");
        }
    }

    /** Connections that carried an answer. */
    private static List<Session> whole(TwoZones zones) {
        return zones.ended.stream().filter(session -> session.sent() > 0).toList();
    }

    private static List<String> targets(TwoZones zones) {
        return whole(zones).stream()
                .map(Session::choice)
                .map(choice -> choice == null ? "" : choice.target())
                .toList();
    }

    @Test
    void aZoneThatCannotBeReachedIsLeftOutAndStaysKnown(@TempDir Path folder) throws Exception {
        int service = FreePorts.next();
        int ingressPort = FreePorts.next();
        try (Application near = new Application("near");
                Application far = new Application("afar");
                TwoZones zones = new TwoZones(folder)) {
            zones.offer("echo-2", onItsOwnPort("echo", far));
            ProxyProgram ingress = zones.ingress(ingressPort);
            zones.caller("{port: %d, tags: {kuma.io/service: echo}}".formatted(service));
            awaitAnswer(service, far.greeting());
            zones.first.apply("{type: Dataplane, mesh: default, name: echo-1, " + onItsOwnPort("echo", near) + "}");
            zones.first.join("echo-1", _ -> {});
            Set<String> seen = new HashSet<>();
            await().atMost(TwoZones.PATIENCE).ignoreExceptions().until(() -> {
                seen.add(greeting(service, near.greeting().length()));
                return seen.size() == 2;
            });

            ingress.close();

            for (int i = 0; i < 40; i++) {
                assertThat(greeting(service, near.greeting().length())).isEqualTo(near.greeting());
            }
            assertThat(zones.first
                            .api()
                            .get("/zoneingresses/zone-2.ingress")
                            .body()
                            .toString())
                    .contains("echo");
        }
    }

    /** Opaque by an annotation, and its proxy takes all ports at one, with headers. */
    private static String byHeader(Application database) throws IOException {
        return """
            annotations: {config.linkerd.io/opaque-ports: "15000"}
            networking:
              address: 127.0.0.1
              transparentProxying: {redirectPortInbound: %d, redirectPortOutbound: %d}
              inbound: [{port: 15000, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: database}}]
            """.formatted(FreePorts.next(), FreePorts.next(), database.port());
    }

    private static String onItsOwnPort(String service, Application application) throws IOException {
        return """
            networking: {address: 127.0.0.1, inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: \
            {kuma.io/service: %s, kuma.io/protocol: tcp}}]}\
            """.formatted(FreePorts.next(), application.port(), service);
    }

    private static void awaitAnswer(int port, String greeting) {
        await().atMost(TwoZones.PATIENCE)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(greeting(port, greeting.length())).isEqualTo(greeting));
    }

    /** What the server says to a client that says nothing, and then whether it repeats what the client says. */
    private static String greeting(int port, int length) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            String greeting = text(socket.getInputStream().readNBytes(length));
            socket.getOutputStream().write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(text(socket.getInputStream().readNBytes(6))).isEqualTo("QUIT\r\n");
            return greeting;
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
