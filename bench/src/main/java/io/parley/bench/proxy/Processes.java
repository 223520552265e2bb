package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Programs in processes of their own: proxies on the first processor, everything else on the others. */
final class Processes implements AutoCloseable {
    /** All processors but the first, as taskset writes it; found out before this process is kept to them. */
    static final String OTHERS = "1-" + (Runtime.getRuntime().availableProcessors() - 1);

    private static final long CLOCK_TICKS = 100;
    private static final int START_SECONDS = 60;

    private final InetSocketAddress address;
    private final String processors;
    private final List<Process> processes = new ArrayList<>();

    private Processes(InetSocketAddress address, String processors) {
        this.address = address;
        this.processors = processors;
    }

    /** For proxies; clients dial an address that is free. */
    static Processes onFirstProcessor() throws IOException {
        return new Processes(freeAddress(), "0");
    }

    /** For a proxy of which only the start counts. */
    static Processes onAllProcessors() throws IOException {
        return new Processes(freeAddress(), "0-" + OTHERS.substring(2));
    }

    /** For what proxies lead to. */
    static Processes onOtherProcessors(InetSocketAddress address) {
        return new Processes(address, OTHERS);
    }

    InetSocketAddress address() {
        return address;
    }

    /** Starts one, and waits until it listens. */
    void start(Path log, InetSocketAddress listens, List<String> command) throws IOException {
        Process process = launch(log, command);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!isListening(listens)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException(command.getFirst() + " does not listen: " + Files.readString(log));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /** Starts one. */
    Process launch(Path log, List<String> command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", processors));
        pinned.addAll(command);
        Process process = new ProcessBuilder(pinned)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static boolean isListening(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    /** Processor time of all of them and of their children, in seconds. */
    double cpuSeconds() {
        return processes.stream()
                        .flatMap(process -> Stream.concat(Stream.of(process.toHandle()), process.descendants()))
                        .mapToLong(handle -> ticks(handle.pid()))
                        .sum()
                / (double) CLOCK_TICKS;
    }

    /** Memory of all of them and of their children that is resident, in MiB. */
    double residentMebibytes() {
        return processes.stream()
                        .flatMap(process -> Stream.concat(Stream.of(process.toHandle()), process.descendants()))
                        .mapToLong(handle -> residentKibibytes(handle.pid()))
                        .sum()
                / 1024.0;
    }

    private static long residentKibibytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // After the name, which is in parentheses: proc(5), fields 14 and 15.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroyForcibly();
        }
    }
}
