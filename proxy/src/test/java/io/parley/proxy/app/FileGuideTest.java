package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.identity.certificate.Pem;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.listen.CannotListenException;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.MeshCredentials;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not there, or not there yet, and files that lack something. */
class FileGuideTest {
    private static final String INBOUND = "inbound: {address: '127.0.0.1:0', destinations: listener%s}\n";
    private static final Overrides ANY_ADMIN =
            new Overrides(null, null, new InetSocketAddress(TestMesh.loopback(), 0), null);

    @TempDir
    Path folder;

    @Test
    void aProxyThatNeedsACertificateIsReadyOnceItsFilesAreThere() throws IOException {
        try (TestMesh mesh = new TestMesh();
                ProxyProgram program = start(INBOUND.formatted("") + identity())) {
            assertThat(ready(program)).startsWith("HTTP/1.1 503").contains("no certificate yet: ", "cert.pem is not");
            write(mesh.issue(TestMesh.SERVER));
            await().untilAsserted(() -> assertThat(ready(program)).startsWith("HTTP/1.1 200"));
        }
    }

    @Test
    void aProxyThatLetsStrangersInIsReadyWithout() throws IOException {
        try (ProxyProgram program = start(INBOUND.formatted(", strangers: allowed") + identity())) {
            assertThat(ready(program)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void anInboundThatNobodyCanConnectToIsWarnedOf() throws IOException {
        try (Logged logged = Logged.by(FileGuide.class)) {
            start(INBOUND.formatted(", strangers: allowed")).close();
            assertThat(logged.lines()).isEmpty();
            start(INBOUND.formatted("")).close();
            assertThat(logged.lines()).singleElement().asString().contains("no identity", "strangers: allowed");
        }
    }

    @Test
    void whatIsWrongWithTheFileIsSaidOnceAndThatItIsWellAgainToo() throws IOException {
        String good = INBOUND.formatted(", strangers: allowed");
        Path file = Files.writeString(folder.resolve("proxy.yaml"), good);
        FileGuide guide = new FileGuide(file, ANY_ADMIN);
        try (TestMesh mesh = new TestMesh();
                Logged logged = Logged.by(FileGuide.class)) {
            Proxy proxy = mesh.start(CertificateSource.none(), ProxyConfig.EMPTY);
            Files.delete(file);
            guide.follow(proxy);
            guide.follow(proxy);
            Files.writeString(file, "inbound: 17\n");
            guide.follow(proxy);
            guide.follow(proxy);
            Files.writeString(file, good);
            guide.follow(proxy);
            guide.follow(proxy);
            assertThat(logged.lines())
                    .satisfiesExactly(
                            gone -> assertThat(gone).contains("no such file"),
                            wrong -> assertThat(wrong).contains("inbound: 17"),
                            well -> assertThat(well).contains("can be used again"));
        } finally {
            guide.close();
        }
    }

    @Test
    void aProxyWhoseCertificateHasExpiredIsNotReady() throws IOException {
        try (TestMesh mesh = new TestMesh()) {
            MeshCredentials issued = mesh.issue(TestMesh.SERVER);
            write(issued);
            Surroundings real = Surroundings.real();
            Surroundings later =
                    new Surroundings(real.ticker(), Clock.offset(real.clock(), Duration.ofDays(2)), real.chance());
            try (ProxyProgram program = start(INBOUND.formatted("") + identity(), later)) {
                assertThat(ready(program)).startsWith("HTTP/1.1 503").contains("certificate expired at ");
            }
        }
    }

    @Test
    void whatOfTheFileIsNotInForceIsOnTheAdminPage() throws IOException {
        String good = INBOUND.formatted(", strangers: allowed");
        try (ProxyProgram program = start(good)) {
            assertThat(page(program, "/metrics")).contains("\nproxy_configuration_refused 0\n");
            Files.writeString(folder.resolve("proxy.yaml"), "inbound: 17\n");
            await().untilAsserted(
                            () -> assertThat(page(program, "/metrics")).contains("\nproxy_configuration_refused 1\n"));
            assertThat(page(program, "/config_dump")).contains("\"refused\" : ", "inbound: 17");
            Files.writeString(folder.resolve("proxy.yaml"), good);
            await().untilAsserted(
                            () -> assertThat(page(program, "/metrics")).contains("\nproxy_configuration_refused 0\n"));
        }
    }

    @Test
    void aFileThatIsMuchTooLargeIsRefusedWithoutBeingRead() throws IOException {
        String good = INBOUND.formatted(", strangers: allowed");
        try (ProxyProgram program = start(good);
                RandomAccessFile huge =
                        new RandomAccessFile(folder.resolve("huge").toFile(), "rw")) {
            huge.setLength(8L << 30); // a hole: it takes no place
            Files.move(folder.resolve("huge"), folder.resolve("proxy.yaml"), StandardCopyOption.REPLACE_EXISTING);
            await().untilAsserted(
                            () -> assertThat(page(program, "/config_dump")).contains("too large (expected: at most "));
            assertThat(ready(program)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void whatAsksForAnAddressThatIsTakenIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, TestMesh.loopback())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            expectRefused(
                    """
                    outbound:
                      address: 127.0.0.1:0
                      services:
                        - {name: a, port: 1, listen: "127.0.0.1:0", endpoints: [{address: "127.0.0.1:1"}]}
                        - {name: b, port: 1, listen: "%s", endpoints: [{address: "127.0.0.1:1"}]}
                    """.formatted(address),
                    address,
                    "(outbound.services[1].listen: another port, or end what has this one)");
            expectRefused(
                    "outbound: {address: '%s'}\n".formatted(address),
                    address,
                    "(outbound.address, or --outbound HOST:PORT");
            expectRefused(
                    "inbound: {address: '127.0.0.1:0', strangers: allowed, listeners: [{address: '%s', port: 1}]}\n"
                            .formatted(address),
                    address,
                    "(inbound.listeners[0].address: ");
            // RFC 5737: an address for documentation, which no machine has.
            expectRefused(
                    "inbound: {address: '192.0.2.1:1', strangers: allowed}\n",
                    "192.0.2.1:1",
                    "(inbound.address, or --inbound HOST:PORT: an address that this machine has)");
        }
    }

    private void expectRefused(String file, String address, String why) {
        assertThatThrownBy(() -> start(file))
                .isInstanceOf(CannotListenException.class)
                .hasMessageStartingWith("cannot listen on " + address + ": ")
                .hasMessageContaining(why);
    }

    private String identity() {
        return "identity: {certificate: '%1$s/cert.pem', key: '%1$s/key.pem', trust: '%1$s/ca.pem'}\n"
                .formatted(folder);
    }

    private void write(MeshCredentials issued) throws IOException {
        Files.writeString(folder.resolve("ca.pem"), Pem.encode(issued.trust()));
        Files.writeString(
                folder.resolve("key.pem"), Pem.encode(issued.credentials().key()));
        Files.writeString(
                folder.resolve("cert.pem"), Pem.encode(issued.credentials().chain()));
    }

    private ProxyProgram start(String text) throws IOException {
        return start(text, Surroundings.real());
    }

    private ProxyProgram start(String text, Surroundings surroundings) throws IOException {
        Path file = Files.writeString(folder.resolve("proxy.yaml"), text);
        return ProxyProgram.start(
                new ProxyProgram.Options(new Origin.StaticFile(file), ANY_ADMIN, 1),
                surroundings,
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }

    private static String ready(ProxyProgram program) throws IOException {
        return page(program, "/ready");
    }

    private static String page(ProxyProgram program, String path) throws IOException {
        try (Client client = Client.to(program.adminAddress())) {
            client.send("GET " + path + " HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            return client.readAll();
        }
    }
}
