package io.parley.store.sqlite;

import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.JavaProgram;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Revision;
import io.parley.store.Samples;
import io.parley.store.StoreException;
import io.parley.store.Watch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class SqliteDiskTest {
    @TempDir
    Path folder;

    @Test
    void f14_aFullDiskRefusesWritesKeepsReadingAndRecovers() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder.toString()),
                "SKIPPED: a small file system cannot be mounted; run as root");
        try {
            Path ballast = folder.resolve("ballast");
            Files.write(ballast, new byte[1 << 20]);
            try (ResourceStore store = open(folder.resolve("data"))) {
                int kept = fill(store);
                assertThat(kept).isPositive();
                assertThat(store.list(Query.of(Samples.TIMEOUT).withLimit(1000)).items())
                        .hasSize(kept);
                Files.delete(ballast);
                store.put(big(kept), Expected.absent());
                assertThat(store.revision().number()).isEqualTo(kept + 1);
            }
            try (ResourceStore again = open(folder.resolve("data"))) {
                assertThat(again.list(Query.of(Samples.TIMEOUT)).total())
                        .isEqualTo(again.revision().number());
            }
        } finally {
            assertThat(run("umount", folder.toString())).isTrue();
        }
    }

    private static int fill(ResourceStore store) {
        for (int number = 0; number < 1000; number++) {
            try {
                store.put(big(number), Expected.absent());
            } catch (StoreException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class);
                assertThat(e).hasMessageContaining("full");
                return number;
            }
        }
        throw new AssertionError("the disk is bigger than it should be");
    }

    private static Resource big(int number) {
        return Resource.of(timeout("t" + number), new Document("{\"text\":\"" + "x".repeat(50_000) + "\"}"));
    }

    @Test
    void f14_aFailedFsyncRefusesTheWriteAndTheNextOnesWork() throws Exception {
        assumeTrue(run("strace", "-V"), "SKIPPED: strace was not found; install the package strace");
        open(folder).close();
        var command = new ArrayList<>(List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=fsync,fdatasync",
                "-e",
                "inject=fsync,fdatasync:error=EIO:when=5+7"));
        command.addAll(JavaProgram.command(CrashWriter.class, folder.toString(), "60"));
        var check = new CrashCheck();
        Process writer = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines = writer.inputReader()) {
            lines.lines().forEach(check::note);
        }
        assertThat(writer.waitFor()).isZero();
        System.out.println(check.acknowledged() + " acknowledged, " + check.refused() + " refused");
        assertThat(check.refused()).isBetween(3, 40);
        assertThat(check.acknowledged()).isEqualTo(60 - check.refused());
        try (ResourceStore store = open(folder)) {
            check.assertNothingLost(store);
        }
    }

    @Test
    void aSecondStoreOnTheSameFolderIsRefused() throws Exception {
        try (ResourceStore store = open(folder)) {
            assertUnusable("in use by this process");
            // Must not have dropped the lock of the first.
            Process other = new ProcessBuilder(JavaProgram.command(CrashWriter.class, folder.toString(), "1"))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader lines = other.inputReader()) {
                assertThat(lines.lines())
                        .anySatisfy(line -> assertThat(line)
                                .contains("in use by process "
                                        + ProcessHandle.current().pid()));
            }
            store.put(numbered(timeout("t"), 1), Expected.absent());
        }
        open(folder).close();
    }

    /** The number may be another process's by then, and people kill by it. */
    @Test
    void aClosedStoreLeavesNoProcessNumberBehind() throws Exception {
        try (ResourceStore store = open(folder)) {
            assertThat(store.revision().number()).isZero();
            assertThat(folder.resolve("store.lock"))
                    .hasContent(Long.toString(ProcessHandle.current().pid()));
        }
        assertThat(folder.resolve("store.lock")).isEmptyFile();
    }

    @Test
    void aDamagedFileIsRefused() throws Exception {
        try (ResourceStore store = open(folder)) {
            for (int number = 0; number < 50; number++) {
                store.put(big(number), Expected.absent());
            }
        }
        byte[] bytes = Files.readAllBytes(folder.resolve("store.db"));
        Arrays.fill(bytes, 4096, 40_000, (byte) 0xa5);
        Files.write(folder.resolve("store.db"), bytes);
        assertUnusable("");
        Files.writeString(folder.resolve("store.db"), "this is no database, but somebody's diary".repeat(100));
        assertUnusable("not a database");
    }

    @Test
    void aNewerSchemaIsRefused() throws Exception {
        open(folder).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
                var statement = connection.createStatement()) {
            statement.execute("UPDATE schema_version SET version = 99");
        }
        assertUnusable("newer release");
    }

    @Test
    void itsFilesAreForTheirOwnerOnly() throws IOException {
        try (ResourceStore store = open(folder)) {
            store.put(numbered(timeout("t"), 1), Expected.absent());
            for (String file : List.of("store.db", "store.db-wal", "store.db-shm")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                        .as(file)
                        .isEqualTo("rw-------");
            }
        }
    }

    @Test
    void keepsItsStateAndItsHistory() {
        try (ResourceStore store = open(folder)) {
            store.put(numbered(timeout("t"), 1), Expected.absent());
        }
        try (ResourceStore store = open(folder);
                var watch = store.watch(Revision.START)) {
            assertThat(store.find(timeout("t"))).isPresent();
            assertThat(watch.poll(Duration.ZERO)).isInstanceOf(Watch.Events.class);
        }
    }

    private void assertUnusable(String message) {
        assertThatThrownBy(() -> open(folder)).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.failure()).isInstanceOf(Failure.Unusable.class);
            assertThat(e).hasMessageContaining(message);
        });
    }

    private static ResourceStore open(Path folder) {
        return SqliteStore.open(folder, Retention.DEFAULT, Clock.systemUTC());
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
