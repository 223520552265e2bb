package io.parley.store.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server of its own, from the installed package, on a free port of loopback and in a temporary folder. It can be
 * killed, frozen and started again.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String USER = "parley";
    private static final String PASSWORD = "p@ss/word";
    private static final String ENCODED_PASSWORD = "p%40ss%2Fword";
    private static final int START_ATTEMPTS = 200;

    /** Whether commits wait for the disk. */
    public enum Disk {
        FSYNC,
        NO_FSYNC
    }

    private final Path programs;
    private final Path folder;
    private final int port;
    private final Disk disk;
    private @Nullable Process process;

    private PostgresServer(Path programs, Path folder, int port, Disk disk) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
        this.disk = disk;
    }

    /** Starts a server, or skips the test and says what to install. */
    public static PostgresServer start(Disk disk) {
        Optional<Path> programs = findPrograms();
        Assumptions.assumeTrue(
                programs.isPresent(), "SKIPPED: PostgreSQL's initdb was not found; install the package postgresql");
        try {
            var server = new PostgresServer(
                    programs.orElseThrow(), Files.createTempDirectory("parley-postgres"), freePort(), disk);
            server.initialize();
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a user would write it. */
    public String url() {
        return "postgres://" + USER + ":" + ENCODED_PASSWORD + "@127.0.0.1:" + port + "/postgres";
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, PASSWORD);
    }

    /** Forgets all resources. */
    public void reset() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA IF EXISTS parley CASCADE");
        }
    }

    private void initialize() throws IOException {
        Path password = folder.resolve("password");
        Files.writeString(password, PASSWORD);
        if (isRoot()) {
            // The server refuses to run as root.
            run(List.of("chown", "-R", systemUser(), folder.toString()));
        }
        run(asUser(
                programs.resolve("initdb").toString(),
                "--pgdata=" + folder.resolve("data"),
                "--username=" + USER,
                "--pwfile=" + password,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-sync"));
    }

    /** Starts the server again after {@link #kill}. */
    public void start() {
        try {
            process = new ProcessBuilder(asUser(
                            programs.resolve("postgres").toString(),
                            "-D",
                            folder.resolve("data").toString(),
                            "-p",
                            Integer.toString(port),
                            "-c",
                            "listen_addresses=127.0.0.1",
                            "-c",
                            "unix_socket_directories=",
                            "-c",
                            "fsync=" + (disk == Disk.FSYNC ? "on" : "off")))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("server.log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
    }

    private void awaitReady() {
        for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
            try {
                connect().close();
                return;
            } catch (SQLException e) {
                if (!running().isAlive()) {
                    throw new IllegalStateException("PostgreSQL ended: " + log(), e);
                }
                try {
                    var _ = running().waitFor(50, TimeUnit.MILLISECONDS);
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException("interrupted", interrupted);
                }
            }
        }
        throw new IllegalStateException("PostgreSQL does not take connections");
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("server.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a crash of the machine would: all its processes at once. */
    public void kill() {
        List<ProcessHandle> all = processes();
        signal("-KILL", all);
        all.forEach(one -> one.onExit().join());
    }

    /** Freezes all its processes: connections stay open, nothing is answered. */
    public void freeze() {
        signal("-STOP", processes());
    }

    public void thaw() {
        signal("-CONT", processes());
    }

    private List<ProcessHandle> processes() {
        ProcessHandle main = running().toHandle();
        return Stream.concat(Stream.of(main), main.descendants()).toList();
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException("not started");
        }
        return process;
    }

    private static void signal(String signal, List<ProcessHandle> processes) {
        String pids = processes.stream().map(one -> Long.toString(one.pid())).collect(Collectors.joining(" "));
        // A backend may end by itself meanwhile.
        run(List.of("sh", "-c", "kill " + signal + " " + pids + " || true"));
    }

    @Override
    public void close() {
        if (running().isAlive()) {
            kill();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> findPrograms() {
        var folders = new ArrayList<Path>();
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            folders.add(Path.of(folder));
        }
        for (String parent : List.of("/usr/lib/postgresql", "/usr/local", "/usr", "/opt/homebrew/opt")) {
            try (Stream<Path> children = Files.list(Path.of(parent))) {
                children.sorted(Comparator.reverseOrder())
                        .map(child -> child.resolve("bin"))
                        .forEach(folders::add);
            } catch (IOException _) {
                // Not on this machine.
            }
        }
        return folders.stream()
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                .filter(folder -> Files.isExecutable(folder.resolve("postgres")))
                .findFirst();
    }

    /** Below those that the kernel gives to whoever asks for any: nobody else is given it until it is taken. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 12_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException _) {
                // Somebody listens there: another one, then.
            }
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static String systemUser() {
        return run(List.of("sh", "-c", "id -u postgres >/dev/null 2>&1 && echo postgres || echo nobody"))
                .strip();
    }

    private static List<String> asUser(String... command) {
        var all = new ArrayList<String>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + systemUser(), "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    private static String run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(new File("/"))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted: " + command, e);
        }
    }
}
