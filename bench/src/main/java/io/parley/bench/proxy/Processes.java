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

/** Proxies in processes of their own, on the first processor; everything else is on the others. */
final class Processes implements AutoCloseable {
    private static final long CLOCK_TICKS = 100;
    private static final int START_SECONDS = 60;

    private final InetSocketAddress address;
    private final List<Process> processes = new ArrayList<>();

    /** Clients dial {@code address}. */
    Processes(InetSocketAddress address) {
        this.address = address;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Starts one, and waits until it listens. */
    void start(Path log, InetSocketAddress listens, List<String> command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", "0"));
        pinned.addAll(command);
        Process process = new ProcessBuilder(pinned)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        processes.add(process);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!isListening(listens)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException(command + " does not listen: " + Files.readString(log));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
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
