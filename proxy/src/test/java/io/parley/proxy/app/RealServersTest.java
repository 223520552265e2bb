package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real servers and clients through two proxies, declared opaque and undeclared. */
class RealServersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** It starts itself anew for each connection, and so wants to be called by its whole path. */
    private static final Path SSHD = Path.of("/usr/sbin/sshd");

    /** Not on the path of users. */
    private static final Path MARIADBD = Path.of("/usr/sbin/mariadbd");

    @TempDir
    Path folder;

    private final TestMesh mesh = new TestMesh();
    private Optional<Process> server = Optional.empty();

    @AfterEach
    void stop() throws InterruptedException {
        mesh.close();
        if (server.isPresent()) {
            server.get().destroy();
            assertThat(server.get().waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"OPAQUE", "DETECT"})
    void redis(Protocol declared) throws Exception {
        assumeTrue(isInstalled("redis-server"), "install redis-server to run this test");
        int port = TestMesh.freePort();
        start("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--dir", folder.toString());
        awaitListening(port);
        try (Client client = Client.to(through(port, declared))) {
            String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhello\r\n";
            assertThat(client.send(set).read(5)).isEqualTo("+OK\r\n");
            assertThat(client.send("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n").read(11)).isEqualTo("$5\r\nhello\r\n");
        }
        assertNothingWasWaitedFor(declared, "detected", "connection-header");
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"OPAQUE", "DETECT"})
    void postgresql(Protocol declared) throws Exception {
        Optional<Path> programs = postgresqlFolder();
        assumeTrue(programs.isPresent() && isInstalled("psql"), "install postgresql to run this test");
        int port = TestMesh.freePort();
        startPostgresql(programs.orElseThrow(), port);
        // It listens before it is ready to answer.
        await().atMost(PATIENCE).until(() -> ask(port, "select 7").equals("7"));
        InetSocketAddress address = through(port, declared);
        assertThat(ask(address.getPort(), "select count(*) from generate_series(1, 100000)"))
                .endsWith("100000");
        assertNothingWasWaitedFor(declared, "detected", "connection-header");
        assertThat(String.valueOf(mesh.agreed(Direction.INBOUND).peer())).isEqualTo(CLIENT.toString());
    }

    private static String ask(int port, String query) throws IOException {
        Process psql = run(
                List.of("psql", "-h", "127.0.0.1", "-p", "" + port, "-U", "parley", "-d", "postgres", "-Atc", query));
        return new String(psql.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Its server greets, and the client needs the greeting to prove who it is. */
    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"OPAQUE", "DETECT"})
    void mysql(Protocol declared) throws Exception {
        assumeTrue(
                Files.isExecutable(MARIADBD) && isInstalled("mariadb"),
                "install mariadb-server-core and mariadb-client-core to run this test");
        int port = TestMesh.freePort();
        startMariadb(port);
        await().atMost(PATIENCE).until(() -> query(port, "select 7").equals("7"));
        InetSocketAddress address = through(port, declared);
        assertThat(query(address.getPort(), "select count(*) from seq_1_to_100000"))
                .isEqualTo("100000");
        assertNothingWasWaitedFor(declared, "server-spoke-first", "server-spoke-first");
    }

    private static String query(int port, String query) throws IOException {
        Process client = run(List.of(
                "mariadb",
                "--no-defaults",
                "-h",
                "127.0.0.1",
                "-P",
                "" + port,
                "-u",
                "root",
                "-D",
                "mysql",
                "-NBe",
                query));
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private void startMariadb(int port) throws Exception {
        List<String> as = asNobody();
        String data = "--datadir=" + folder.resolve("mysql");
        Process install = run(Stream.concat(
                        as.stream(),
                        Stream.of(
                                "mariadb-install-db",
                                "--no-defaults",
                                data,
                                "--auth-root-authentication-method=normal",
                                "--skip-test-db"))
                .toList());
        install.getInputStream().readAllBytes();
        assertThat(install.waitFor()).isZero();
        start(Stream.concat(
                        as.stream(),
                        Stream.of(
                                MARIADBD.toString(),
                                "--no-defaults",
                                data,
                                "--port=" + port,
                                "--bind-address=127.0.0.1",
                                "--socket=" + folder.resolve("mysql.sock"),
                                "--innodb-flush-log-at-trx-commit=0"))
                .toArray(String[]::new));
    }

    /** Its server greets, and this client waits for that before it says who it is. */
    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"OPAQUE", "DETECT"})
    void ssh(Protocol declared) throws Exception {
        assumeTrue(Files.isExecutable(SSHD) && isInstalled("ssh-keyscan"), "install openssh-server to run this test");
        int port = TestMesh.freePort();
        Path key = startSsh(port);
        awaitListening(port);
        int through = through(port, declared).getPort();
        Process scan = run(List.of("ssh-keyscan", "-t", "ed25519", "-p", "" + through, "127.0.0.1"));
        String found = new String(scan.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String ours = Files.readString(key.resolveSibling("key.pub")).split(" ", -1)[1];
        assertThat(found).contains("SSH-2.0-").contains(ours);
        assertNothingWasWaitedFor(declared, "server-spoke-first", "server-spoke-first");
    }

    /** A small mail server: it greets, and says each thing only after the client has said the one before. */
    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"OPAQUE", "DETECT"})
    void smtp(Protocol declared) throws Exception {
        try (Server mail = Server.that(RealServersTest::serveMail);
                Client client = Client.to(through(mail.port(), declared))) {
            assertThat(client.read(21)).isEqualTo("220 mail.test ESMTP\r\n");
            assertThat(client.send("EHLO a.example\r\n").read(8)).isEqualTo("250 ok\r\n");
            assertThat(client.send("MAIL FROM:<a@a.example>\r\n").read(8)).isEqualTo("250 ok\r\n");
            assertThat(client.send("QUIT\r\n").readAll()).isEqualTo("221 bye\r\n");
        }
        assertNothingWasWaitedFor(declared, "server-spoke-first", "server-spoke-first");
    }

    private static void serveMail(Socket socket) throws IOException {
        var out = socket.getOutputStream();
        var in = new java.io.BufferedReader(
                new java.io.InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        out.write("220 mail.test ESMTP\r\n".getBytes(StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null && !line.equals("QUIT"); line = in.readLine()) {
            out.write("250 ok\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.write("221 bye\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** Each proxy decided by what it was told or heard: no time for detection ran out before the first byte could pass. */
    private void assertNothingWasWaitedFor(Protocol declared, String outbound, String inbound) {
        boolean told = declared == Protocol.OPAQUE;
        mesh.over(Direction.INBOUND);
        assertThat(mesh.decisions(Direction.OUTBOUND))
                .isNotEmpty()
                .containsOnly("opaque by " + (told ? "declared" : outbound));
        assertThat(mesh.decisions(Direction.INBOUND))
                .isNotEmpty()
                .containsOnly("opaque by " + (told ? "declared" : inbound));
    }

    private InetSocketAddress through(int port, Protocol declared) {
        var inbound = mesh.start(
                SERVER,
                config(List.of(inbound(
                        declared == Protocol.OPAQUE ? Map.of(port, strict(Protocol.OPAQUE)) : Map.of(),
                        strict(Protocol.DETECT)))));
        return mesh.start(
                        CLIENT,
                        config(
                                List.of(outbound("service", declared(declared))),
                                cluster("service", meshed(port, inbound.address("inbound"), SERVER))))
                .address("outbound");
    }

    /** Starts one with a key of its own, whose file it returns. It lets nobody in, and needs no rights for that. */
    private Path startSsh(int port) throws Exception {
        Path key = folder.resolve("key");
        List<String> as = asNobody();
        Process keygen = run(Stream.concat(
                        as.stream(), Stream.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString()))
                .toList());
        assertThat(keygen.waitFor()).isZero();
        start(Stream.concat(
                        as.stream(),
                        Stream.of(
                                SSHD.toString(),
                                "-D",
                                "-f",
                                "/dev/null",
                                "-h",
                                key.toString(),
                                "-o",
                                "ListenAddress=127.0.0.1:" + port,
                                "-o",
                                "PidFile=none"))
                .toArray(String[]::new));
        return key;
    }

    /** How to run programs that refuse to be run by root, or ask for more when they are; the folder is theirs. */
    private List<String> asNobody() throws Exception {
        if (!System.getProperty("user.name").equals("root")) {
            return List.of();
        }
        assertThat(run(List.of("chown", "65534:65534", folder.toString())).waitFor())
                .isZero();
        return List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    }

    private void startPostgresql(Path programs, int port) throws Exception {
        Path data = folder.resolve("data");
        List<String> as = asNobody();
        Process init = run(Stream.concat(
                        as.stream(),
                        Stream.of(
                                programs.resolve("initdb").toString(),
                                "-D",
                                data.toString(),
                                "-U",
                                "parley",
                                "-A",
                                "trust",
                                "--no-sync"))
                .toList());
        init.getInputStream().readAllBytes();
        assertThat(init.waitFor()).isZero();
        start(Stream.concat(
                        as.stream(),
                        Stream.of(
                                programs.resolve("postgres").toString(),
                                "-D",
                                data.toString(),
                                "-p",
                                "" + port,
                                "-h",
                                "127.0.0.1",
                                "-k",
                                folder.toString(),
                                "-F"))
                .toArray(String[]::new));
    }

    private static Optional<Path> postgresqlFolder() throws IOException {
        Path all = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(all)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findFirst();
        }
    }

    private void start(String... command) throws IOException {
        server = Optional.of(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    private static Process run(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    private static void awaitListening(int port) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            try (Socket probe = new Socket(TestMesh.loopback(), port)) {
                return probe.isConnected();
            }
        });
    }
}
