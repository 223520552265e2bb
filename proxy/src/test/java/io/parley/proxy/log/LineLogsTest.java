package io.parley.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Surroundings;
import io.parley.proxy.log.LogConfig.Place;
import io.parley.proxy.log.Template.Absence;
import io.parley.proxy.telemetry.Telemetry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines come to their place, and nobody waits for that. */
class LineLogsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Telemetry telemetry = new Telemetry(Surroundings.real().ticker());
    private final LineLogs logs = new LineLogs(System::nanoTime, place -> telemetry.outflow("log", place));

    private static LogConfig.Lines lines(Place place) {
        Template bytes =
                new Template(List.of(new Template.Part.Known(Fact.BYTES_SENT), new Template.Part.Literal("\n")));
        return new LogConfig.Lines(place, new LineFormat.Text(bytes, Absence.SHOWN));
    }

    private static Entry entry(long sent) {
        InetSocketAddress somewhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return new Entry(
                Entry.Subject.CONNECTION,
                Instant.EPOCH,
                Duration.ZERO,
                null,
                0,
                null,
                0,
                sent,
                Entry.From.connection(somewhere),
                somewhere,
                null,
                null,
                null,
                null,
                Entry.Fields.NONE);
    }

    private long counted() {
        return metrics()
                .lines()
                .filter(line -> line.matches("telemetry_(sent|dropped)_total\\{.*"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private String metrics() {
        return telemetry.render();
    }

    @Test
    void linesAreAddedToTheEndOfAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("access.log");
        Files.writeString(file, "before\n");
        for (int i = 0; i < 1_000; i++) {
            logs.write(lines(new Place.File(file.toString())), entry(i));
        }
        logs.close();
        assertThat(Files.readAllLines(file))
                .hasSize(1_001)
                .startsWith("before", "0", "1")
                .endsWith("999");
        assertThat(metrics()).contains("telemetry_sent_total{kind=\"log\",place=\"" + file + "\"} 1000\n");
    }

    @Test
    void aFileThatWasMovedAwayIsBegunAnew(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("access.log");
        Path moved = folder.resolve("access.log.1");
        LogConfig.Lines log = lines(new Place.File(file.toString()));
        logs.write(log, entry(1));
        await().atMost(PATIENCE).until(() -> Files.exists(file) && Files.size(file) == 2);
        Files.move(file, moved);
        await().atMost(PATIENCE).until(() -> {
            logs.write(log, entry(2));
            return Files.exists(file) && Files.size(file) > 0;
        });
        logs.close();
        assertThat(Files.readString(moved)).startsWith("1\n");
        assertThat(Files.readString(file)).startsWith("2\n");
    }

    @Test
    void whatCannotBeWrittenIsCountedAndTriedAgainWithTheNext(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("later").resolve("access.log");
        LogConfig.Lines log = lines(new Place.File(file.toString()));
        logs.write(log, entry(1));
        await().atMost(PATIENCE).until(() -> metrics().contains("cause=\"write-failed\"} 1\n"));
        Files.createDirectory(folder.resolve("later"));
        logs.write(log, entry(2));
        logs.close();
        assertThat(Files.readString(file)).isEqualTo("2\n");
    }

    @Test
    void linesGoToWhoeverListens() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LogConfig.Lines log = lines(new Place.Tcp("127.0.0.1", server.getLocalPort()));
            logs.write(log, entry(7));
            try (Socket first = server.accept()) {
                assertThat(reader(first).readLine()).isEqualTo("7");
            }
            // That the reader is gone shows when something is sent in vain.
            server.setSoTimeout(100);
            await().atMost(PATIENCE).until(() -> {
                logs.write(log, entry(8));
                try (Socket second = server.accept()) {
                    return "8".equals(reader(second).readLine());
                } catch (SocketTimeoutException e) {
                    return false;
                }
            });
        }
        logs.close();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    @Test
    void aReaderThatDoesNotReadHoldsNobodyUp() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LogConfig.Lines log = lines(new Place.Tcp("127.0.0.1", server.getLocalPort()));
            await().atMost(PATIENCE).until(() -> {
                for (int i = 0; i < 100_000; i++) {
                    logs.write(log, entry(Long.MAX_VALUE));
                }
                return metrics().contains("cause=\"queue-full\"");
            });
        }
        logs.close();
    }

    private static boolean isWorkedFor(Place place) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("log " + place));
    }

    @Test
    void aReaderThatDoesNotReadIsLeftWhenItsPlaceIsNotAskedForAnyMore() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Place place = new Place.Tcp("127.0.0.1", server.getLocalPort());
            Template big = new Template(List.of(new Template.Part.Literal("x".repeat(64 * 1_024))));
            // More than all buffers between the two take.
            for (int i = 0; i < 1_000; i++) {
                logs.write(new LogConfig.Lines(place, new LineFormat.Text(big, Absence.SHOWN)), entry(i));
            }
            assertThat(isWorkedFor(place)).isTrue();
            logs.retain(Set.of());
            await().atMost(PATIENCE).until(() -> !isWorkedFor(place));
            assertThat(counted()).as("each line is sent or lost").isEqualTo(1_000);
        }
    }

    @Test
    void placesThatAreNotAskedForAreClosed(@TempDir Path folder) {
        Path file = folder.resolve("a");
        Place place = new Place.File(file.toString());
        logs.write(lines(place), entry(1));
        logs.retain(Set.of());
        await().atMost(PATIENCE).until(() -> !isWorkedFor(place));
        assertThat(file).hasContent("1\n");
    }
}
