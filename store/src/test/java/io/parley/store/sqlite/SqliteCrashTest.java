package io.parley.store.sqlite;

import static io.parley.store.Samples.numberIn;
import static io.parley.store.Samples.numbered;
import static io.parley.store.Samples.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.store.Expected;
import io.parley.store.JavaProgram;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class SqliteCrashTest {
    /** Few: the whole program is killed two hundred times by a test of its own. */
    private static final int ROUNDS = Integer.getInteger("parley.crash.rounds", 10);

    private static final int COMMITS = 20;

    @TempDir
    Path folder;

    @Test
    void f15_killedAtAnyMomentItLosesNothingThatWasAcknowledged() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        var check = new CrashCheck();
        for (int round = 0; round < ROUNDS; round++) {
            Process writer = new ProcessBuilder(JavaProgram.command(CrashWriter.class, folder.toString(), "1000000"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader lines = writer.inputReader()) {
                // Some die while they open, recover or make their tables, most in the midst of their writes.
                for (int line = random.nextInt(80); line > 10; line--) {
                    check.note(lines.readLine());
                }
                var _ = writer.waitFor(random.nextInt(20), TimeUnit.MILLISECONDS);
                // Not Process.destroyForcibly, which closes the stream that still holds lines.
                writer.toHandle().destroyForcibly();
                lines.lines().forEach(check::note);
            }
            writer.waitFor();
        }
        try (ResourceStore store = open(folder)) {
            check.assertNothingLost(store);
        }
        System.out.println(check.acknowledged() + " acknowledged writes in " + ROUNDS + " rounds");
        assertThat(check.acknowledged()).isPositive();
    }

    @Test
    void f15_aTornLogGivesAnEarlierStateWhole() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        Path image = Files.createDirectory(folder.resolve("image"));
        try (ResourceStore store = open(source)) {
            for (int number = 1; number <= COMMITS; number++) {
                store.put(numbered(timeout("t"), number), Expected.anything());
            }
            Files.copy(source.resolve("store.db"), image.resolve("store.db"));
            Files.copy(source.resolve("store.db-wal"), image.resolve("store.db-wal"));
        }
        long size = Files.size(image.resolve("store.db-wal"));
        assertThat(size).isPositive();
        long least = COMMITS;
        for (long cut = 0; cut <= size; cut += Math.max(1, size / 97)) {
            least = Math.min(least, openTorn(image, cut));
        }
        assertThat(openTorn(image, size)).isEqualTo(COMMITS);
        assertThat(least).isZero();
    }

    /** Opens a copy whose log ends at this byte, and says which commit is the last one in it. */
    private long openTorn(Path image, long cut) throws IOException {
        Path torn = Files.createTempDirectory(folder, "torn");
        Files.copy(image.resolve("store.db"), torn.resolve("store.db"));
        Files.copy(image.resolve("store.db-wal"), torn.resolve("store.db-wal"));
        try (FileChannel log = FileChannel.open(torn.resolve("store.db-wal"), StandardOpenOption.WRITE)) {
            log.truncate(cut);
        }
        try (ResourceStore store = open(torn)) {
            long number =
                    store.find(timeout("t")).map(stored -> numberIn(stored)).orElse(0L);
            assertThat(store.revision().number()).isEqualTo(number);
            return number;
        }
    }

    private static ResourceStore open(Path folder) {
        return SqliteStore.open(folder, Retention.DEFAULT, Clock.systemUTC());
    }
}
